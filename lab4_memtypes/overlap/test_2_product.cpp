#include <cuda_runtime.h>

#include "lab4_memtypes/overlap/banded_run.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/lab_sim.h"
#endif

namespace {

const std::vector<std::string> kOfOtherTests = {"stream-race"};

// Calls the function; if that fails, the report names a launch with too few threads.
BandedRun runTold(Bands b) {
    try {
        return runBanded("overlappedMatrixMul", b, kOfOtherTests);
    } catch (...) {
#ifdef CUDA_SIMULATED_DEVICE
        const int rows = (b.j - 1) / b.bands + 1;
        for (std::size_t i = 0; i < cusim::launches().size(); ++i) {
            const std::string sizes = lab::tooFewThreads(
                cusim::launches()[i], b.l, std::min(rows, b.j - static_cast<int>(i) * rows));
            if (sizes.empty()) continue;
            lab::addToEnd(lab::filled("Launch {} has {}", i + 1, sizes).words);
            break;
        }
#endif
        throw;
    }
}

}  // namespace

TEST_CASE("the product is right for every number of bands and streams") {
    const Bands all[] = {{64, 16, 16, 1, 1}, {64, 16, 16, 4, 2}, {100, 20, 33, 3, 2},
                         {5, 3, 7, 5, 2},    {5, 3, 7, 2, 2},    {5, 3, 7, 9, 4},
                         {70, 16, 1, 8, 3},  {1, 1, 1, 1, 1},    {600, 2, 3, 2, 2},
                         {2, 3, 300, 1, 2},  {3, 300, 2, 2, 1},  {33, 2, 3, 2, 2},
                         {300, 1, 2, 300, 2}};
    for (const Bands b : all) {
        INFO("M " << b.j << " x " << b.k << ", N " << b.k << " x " << b.l << ", "
                  << lab::count(b.bands, "band") << ", " << lab::count(b.streams, "stream"));
        const BandedRun run = runTold(b);
#ifdef CUDA_SIMULATED_DEVICE
        const auto& launches = cusim::launches();
        if (!lab::isRight(run) && !launches.empty() &&
            !launches.front().filledFrom(run.set.N.data()))
            lab::expectCopiedIn("overlappedMatrixMul", "N", run.set.N);
        const int rows = (b.j - 1) / b.bands + 1, bands = (b.j - 1) / rows + 1;
        if (!lab::isRight(run) && !launches.empty() && static_cast<int>(launches.size()) < bands)
            lab::fail("band-count",
                      "overlappedMatrixMul: {} launched, but {} of {} are needed to cover M.\nSee "
                      "the loop over the bands.",
                      lab::count(launches.size(), "kernel"), lab::count(bands, "band"),
                      lab::count(rows, "row"));
#endif
        lab::expectProduct("overlappedMatrixMul", run);
    }
    lab::expectLastTile(
        "overlappedMatrixMul", 16, 1,
        [](const float* M, const float* N, float* P, int n) {
            const std::size_t size = lab::product(n, n);
            float *pinnedM = pinnedFloats(size), *pinnedP = pinnedFloats(size);
            std::copy_n(M, size, pinnedM);
            overlappedMatrixMul(pinnedM, N, pinnedP, n, n, n, 1, 1);
            std::copy_n(pinnedP, size, P);
            freePinned(pinnedM);
            freePinned(pinnedP);
        },
        kOfOtherTests, lab::kOverShort);
    const matrix::DataSet fractions = lab::fractions({40, 20, 30});
    lab::expectProduct("overlappedMatrixMul", runBanded("overlappedMatrixMul", {40, 20, 30, 3, 2},
                                                        kOfOtherTests, fractions));
}
