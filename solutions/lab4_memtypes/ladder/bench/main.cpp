// Measures the rungs of the ladder and cuBLAS on one card.
//     gpu_bench RESULT.csv RESULT.md DRIVER
//     gpu_bench shapes RESULT.csv RESULT.md DRIVER      only rung 14, on many shapes
//     gpu_bench check      checks results only, at odd sizes; short enough for compute-sanitizer
// Exit status: 0 measured, 1 a product is wrong, 2 wrong usage or no card.
#include <cublas_v2.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

#include "bench/device.h"
#include "bench/reference.h"
#include "bench/report.h"
#include "bench/shapes.h"
#include "bench/timing.h"
#include "ladder.h"

#define CUBLAS_CHECK(function, ...)                                                          \
    endUnless(function(__VA_ARGS__) == CUBLAS_STATUS_SUCCESS, #function " failed", __FILE__, \
              __LINE__)

namespace {

using bench::Inputs;
using bench::Measurement;
using bench::Size;

const std::vector<Size> kSizes = {{512, 512, 512},    {1024, 1024, 1024}, {2048, 2048, 2048},
                                  {4096, 4096, 4096}, {8192, 8192, 8192}, {16384, 16384, 16384},
                                  {4097, 3001, 5003}};
// Only checked, not timed: edges of all kinds, and every shape of the last rung.
const std::vector<Size> kOddSizes = {
    {1, 1, 1},       {5, 3, 7},        {33, 17, 65},     {128, 16, 256},   {129, 32, 260},
    {257, 513, 4},   {3, 1000, 1024},  {1001, 33, 999},  {1300, 33, 1804}, {1300, 19, 1801},
    {517, 9, 5},     {64, 47, 68},     {1409, 17, 3333}, {1409, 40, 3332}, {1400, 100, 3300},
    {1, 777, 1001},  {3, 300, 5},      {999, 1000, 1},   {200, 333, 3},    {8, 2000, 1028},
    {17, 900, 1033}, {130, 4100, 130}, {1000, 500, 12},  {600, 5000, 7}};
constexpr double kLongestRun = 500;  // milliseconds
constexpr double kTimesL2 = 4;       // size of all inputs over the L2, so that they miss it

// Returns the float32 multiply-adds that an SM of a compute capability starts in a cycle (source:
// CUDA Programming Guide, arithmetic instructions).
int lanes(int major, int minor) {
    const bool half = major == 7 || (major == 6 && minor == 0) || (major == 8 && minor == 0);
    return half ? 64 : 128;
}

double attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

std::string version(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

// Returns this machine's card; driver is the version from nvidia-smi, because the CUDA runtime does
// not know it.
bench::Card thisCard(const std::string& driver) {
    int device = 0, runtime = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    const int sms = properties.multiProcessorCount;
    const double gigahertz = attribute(cudaDevAttrClockRate, device) * 1e-6;
    const double peak = 2.0 * lanes(properties.major, properties.minor) * sms * gigahertz;
    // Memory transfers twice in a cycle of its clock.
    const double memory = 2.0 * attribute(cudaDevAttrMemoryClockRate, device) * 1e-6 *
                          attribute(cudaDevAttrGlobalMemoryBusWidth, device) / 8;
    return {properties.name, driver, version(runtime), sms,
            gigahertz,       peak,   memory,           static_cast<double>(properties.l2CacheSize)};
}

struct Kernel {
    std::string name;
    bench::Product product;
    Tile (*tile)(int j, int l);
};

std::vector<Kernel> kernels(cublasHandle_t handle) {
    // cuBLAS stores by columns, which makes a row-major matrix its transpose: P^T = N^T x M^T.
    auto cublas = [handle](const float* M, const float* N, float* P, Size size) {
        const float one = 1, zero = 0;
        CUBLAS_CHECK(cublasSgemm, handle, CUBLAS_OP_N, CUBLAS_OP_N, size.l, size.j, size.k, &one, N,
                     size.l, M, size.k, &zero, P, size.l);
    };
    std::vector<Kernel> all = {{"cuBLAS", cublas, nullptr}};
    for (const Rung* rung :
         {&naiveUncoalesced, &naive, &tiled, &registerTile1d, &registerTile2d, &vectorLoads,
          &warpTile, &doubleBuffer, &asyncCopies, &tuned, &splitK, &streamK, &fewRows, &chosen}) {
        auto product = [rung](const float* M, const float* N, float* P, Size size) {
            rung->launch(M, N, P, size.j, size.k, size.l);
        };
        all.push_back({rung->name, product, rung->tile});
    }
    return all;
}

// Counts the bytes that blocks request: each loads its rows of M and its columns of N, and each
// element of P is stored once.
double requestedBytes(Tile tile, Size size) {
    const double rowTiles = blocksFor(size.j, tile.rows), colTiles = blocksFor(size.l, tile.cols);
    const double floats =
        colTiles * size.j * size.k + rowTiles * size.k * size.l + 1.0 * size.j * size.l;
    return floats * sizeof(float);
}

void endIfWrong(const Kernel& kernel, const Inputs& inputs, const bench::Reference& reference,
                Size size) {
    // NaN in every element that the kernel should write.
    CUDA_CHECK(cudaMemset(inputs.P.get(), 0xff, sizeof(float) * size.j * size.l));
    kernel.product(inputs.sets[0].M.get(), inputs.sets[0].N.get(), inputs.P.get(), size);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    const std::string wrong = reference.compare(inputs.P.get());
    if (wrong.empty()) return;
    std::fprintf(stderr, "%s, %d x %d times %d x %d: %s.\n", kernel.name.c_str(), size.j, size.k,
                 size.k, size.l, wrong.c_str());
    std::exit(1);
}

// Estimates the time from the rate at the size before: beyond small products, which leave SMs idle,
// the rate hardly changes with the size.
bool tooSlow(const bench::Results& results, std::size_t kernel, Size size) {
    const auto last = std::find_if(results.rbegin(), results.rend(),
                                   [&](const auto& rows) { return !rows[kernel].leftOut; });
    return last != results.rend() &&
           size.operations() / (*last)[kernel].gigaflops() * 1e-6 > kLongestRun;
}

void checkOddSizes(const std::vector<Kernel>& all) {
    for (Size size : kOddSizes) {
        const Inputs inputs(size, 0);
        const bench::Reference reference(inputs.sets[0].M.get(), inputs.sets[0].N.get(), size);
        for (const Kernel& kernel : all) endIfWrong(kernel, inputs, reference, size);
    }
}

bench::Results measure(const std::vector<Kernel>& all, double l2Bytes) {
    bench::Results results;
    for (Size size : kSizes) {
        const Inputs inputs(size, kTimesL2 * l2Bytes);
        const bench::Reference reference(inputs.sets[0].M.get(), inputs.sets[0].N.get(), size);
        std::vector<Measurement> rows;
        for (const auto& [name, product, tile] : all) {
            const double requested = tile ? requestedBytes(tile(size.j, size.l), size) : 0;
            rows.push_back({name, size, tooSlow(results, rows.size(), size), requested});
            if (rows.back().leftOut) continue;
            endIfWrong(all[rows.size() - 1], inputs, reference, size);
            bench::time(product, inputs, rows.back());
            std::fprintf(stderr, "%-22s %5d x %5d x %5d  %9.0f GFLOP/s\n", name.c_str(), size.j,
                         size.k, size.l, rows.back().gigaflops());
        }
        results.push_back(rows);
    }
    return results;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    const bool checkOnly = argc == 2 && what == "check", shapesOnly = argc == 5 && what == "shapes";
    if (argc != 4 && !checkOnly && !shapesOnly) {
        std::fprintf(stderr,
                     "Use: gpu_bench [shapes] RESULT.csv RESULT.md DRIVER, or gpu_bench check\n");
        return 2;
    }
    char** given = shapesOnly ? argv + 2 : argv + 1;
    cublasHandle_t handle = nullptr;
    CUBLAS_CHECK(cublasCreate, &handle);
    // No tensor cores and no narrower numbers, only float32.
    CUBLAS_CHECK(cublasSetMathMode, handle, CUBLAS_PEDANTIC_MATH);

    const std::vector<Kernel> all = kernels(handle);
    if (!shapesOnly) checkOddSizes(all);
    if (checkOnly) {
        std::printf("%zu kernels are right at %zu sizes.\n", all.size(), kOddSizes.size());
        return 0;
    }
    const bench::Card card = thisCard(given[2]);
    std::ofstream csv(given[0]), markdown(given[1]);
    if (shapesOnly) {
        const bench::ShapesResult result =
            bench::measureShapes(all.front().product, all.back().product, card.l2Bytes);
        bench::writeShapesCsv(csv, card, result);
        bench::writeShapesMarkdown(markdown, card, result);
        bench::writeShapesMarkdown(std::cout, card, result);
    } else {
        const bench::Results results = measure(all, card.l2Bytes);
        bench::writeCsv(csv, card, results);
        bench::writeMarkdown(markdown, card, results);
        bench::writeMarkdown(std::cout, card, results);
    }
    cublasDestroy(handle);
    if (!csv.flush() || !markdown.flush()) {
        std::fprintf(stderr, "%s or %s cannot be written; choose another folder.\n", given[0],
                     given[1]);
        return 2;
    }
    return 0;
}
