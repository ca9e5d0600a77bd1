// Runs a hundred random kernels whose values CUDA's memory model determines, and compares them with
// what random_programs.cpp computes. The simulated device leaves the same values, with another
// hundred seeds, in test_random_order.cu.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "random_kernel.h"
#include "random_programs.h"

using namespace random_kernel;

struct NoteNothing {
    __device__ void operator()(int, int, int) const {}
};

static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

static std::vector<int> host(const int* array, int count) {
    std::vector<int> values(count);
    check(cudaMemcpy(values.data(), array, count * sizeof(int), cudaMemcpyDeviceToHost));
    return values;
}

static Values launched(const Program& program) {
    const std::size_t bytes = program.size() * sizeof(int);
    constexpr int kActorsOfAll = kBlocks * kActors, kWords = 3 * kPlaces + kHands + kActorsOfAll;
    int *steps = nullptr, *all = nullptr;
    check(cudaMalloc(&steps, bytes));
    check(cudaMalloc(&all, kWords * sizeof(int)));
    check(cudaMemcpy(steps, program.data(), bytes, cudaMemcpyHostToDevice));
    check(cudaMemset(all, 0, kWords * sizeof(int)));
    int *const g = all, *const same = g + kPlaces, *const f = same + kPlaces;
    int *const hands = f + kPlaces, *const sink = hands + kHands;
    randomKernel<NoteNothing><<<kBlocks, kThreads>>>(steps, g, same, f, hands, sink, NoteNothing{});
    check(cudaDeviceSynchronize());
    const Values left = {host(g, kPlaces), host(same, kPlaces), host(f, kPlaces),
                         host(sink, kActorsOfAll)};
    check(cudaFree(steps));
    check(cudaFree(all));
    return left;
}

int main(int argc, char** argv) {
    const unsigned first = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 0;
    int failed = 0;
    for (unsigned seed = first; seed < first + 100; ++seed) {
        const Program program = determinedProgram(seed);
        if (launched(program) == valuesOf(program)) continue;
        std::printf("seed %u: other values\n", seed);
        ++failed;
    }
    std::printf("%d passed, %d failed\n", 100 - failed, failed);
    return failed ? 1 : 0;
}
