// A separate file, because lab 4's part on constant memory uses all of that memory.
#include "solutions/model/list.h"

namespace lab4 {
#include "solutions/lab4_memtypes/qualifiers.cu"
namespace limits {
#include "solutions/lab4_memtypes/limits.cu"
}
}  // namespace lab4

namespace model {
namespace {

// The kernels of the part on qualifiers write whole numbers, here into memory of floats.
int* numbers(float* floats) { return reinterpret_cast<int*>(floats); }

void addSmall(List& list) {
    const int blocks = 65536, threads = 256;
    const std::size_t all = area(blocks, threads);
    const std::string size = std::to_string(all);
    const auto fill = [&](const char* kernel, std::size_t out, auto launch, double flop = 0) {
        list.map("lab4", kernel, size, blocks, threads, 0, out, launch, flop);
    };
    fill("localVar", all,
         [](dim3 g, dim3 b, Matrix, float* P) { lab4::localVarKernel<<<g, b>>>(numbers(P)); });
    fill("localArray", 2 * all, [=](dim3 g, dim3 b, Matrix, float* P) {
        lab4::localArrayKernel<<<g, b>>>(numbers(P), numbers(P) + all);
    });
    fill("registerArray", all,
         [](dim3 g, dim3 b, Matrix, float* P) { lab4::registerArrayKernel<<<g, b>>>(numbers(P)); });
    fill("sharedVar", all,
         [](dim3 g, dim3 b, Matrix, float* P) { lab4::sharedVarKernel<<<g, b>>>(numbers(P)); });
    fill("globalVar", all,
         [](dim3 g, dim3 b, Matrix, float* P) { lab4::globalVarKernel<<<g, b>>>(numbers(P)); });
    fill("constVar", all,
         [](dim3 g, dim3 b, Matrix, float* P) { lab4::constVarKernel<<<g, b>>>(numbers(P)); });
    fill("limits: plain", all,
         [](dim3 g, dim3 b, Matrix, float* P) { lab4::limits::plainKernel<<<g, b>>>(P); });
    fill("limits: tiles", all,
         [](dim3 g, dim3 b, Matrix, float* P) { lab4::limits::tilesKernel<<<g, b>>>(P); });
    fill(
        "limits: registers", all + 100,
        [](dim3 g, dim3 b, Matrix, float* P) { lab4::limits::registersKernel<<<g, b>>>(P); },
        2.0 * 64 * 100 * static_cast<double>(all));
    list.map("lab4", "pointer", "one thread", 1, 1, 0, 0,
             [](dim3 g, dim3 b, Matrix, float*) { lab4::pointerKernel<<<g, b>>>(1); });
}

}  // namespace

void addQualifiers(List& list) { addSmall(list); }

}  // namespace model
