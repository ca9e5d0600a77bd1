// Tests that overlap saves time. Needs a card, because the simulated device does one thing at a
// time.
#include <cuda_runtime.h>

#include <chrono>

#include "lab4_memtypes/overlap/banded_run.h"

#ifdef CUDA_SIMULATED_DEVICE
TEST_CASE("two streams take less time than one") {
    lab::leaveOut(
        "It needs a GPU (DEVICE=gpu): there the copies of one band take place while\nanother one "
        "is computed. The simulated device does one thing at a time.");
}
#else
namespace {

// Returns the shortest of several runs, in milliseconds.
double timeOf(const float* M, const float* N, float* P, Bands b) {
    double best = 1e30;
    for (int run = 0; run < 5; ++run) {
        const auto start = std::chrono::steady_clock::now();
        overlappedMatrixMul(M, N, P, b.j, b.k, b.l, b.bands, b.streams);
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count());
    }
    return best;
}

}  // namespace

TEST_CASE("two streams take less time than one") {
    // Tall, so that copying takes as long as computing: 128 MiB each way.
    const Bands one{1 << 18, 128, 128, 16, 1};
    Bands two = one;
    two.streams = 2;
    double alone = 0, overlapped = 0;
    const auto call = [&] {
        const auto rows = static_cast<std::size_t>(one.j);
        float *M = pinnedFloats(rows * 128), *P = pinnedFloats(rows * 128);
        std::fill_n(M, rows * 128, 1.0f);
        const std::vector<float> N(128 * 128, 1.0f);
        alone = timeOf(M, N.data(), P, one);
        overlapped = timeOf(M, N.data(), P, two);
        freePinned(M);
        freePinned(P);
    };
    lab::run("overlappedMatrixMul", lab::gives(alone, overlapped), call);
    std::printf("        one stream %.2f ms, two streams %.2f ms\n", alone, overlapped);
    if (overlapped > 0.9 * alone)
        lab::fail("no-overlap",
                  "overlappedMatrixMul: two streams take as long as one. Check that the memory "
                  "is\npinned, and that the host does not wait inside the loop.");
}
#endif
