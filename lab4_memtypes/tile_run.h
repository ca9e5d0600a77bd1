// Calls of matrixMulWithTile and dynamicMatrixMul: all that the tests know of a kernel.
#pragma once

#include <string>
#include <vector>

#include "lab4_memtypes/tile_limits.h"
#include "matrix/compare.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "simulator/simulator.h"
#endif

struct TileRun {
    matrix::DataSet set;
    matrix::Matrix P;
};

inline matrix::DataSet wholeNumbers(int Width) { return lab::integers(Width, Width, Width); }

inline matrix::DataSet fractions(int Width) {
    const auto pattern = matrix::Pattern::Uniform;
    return lab::build(
        {matrix::setName(Width, Width, Width, pattern), Width, Width, Width, pattern, 2});
}

// Without its size, which the launch gives, nothing that goes through the shared array can be
// judged.
class NeedsItsSize {
  public:
    explicit NeedsItsSize(int tileWidth) : tileWidth_(tileWidth) {}
    NeedsItsSize(const NeedsItsSize&) = delete;
    NeedsItsSize& operator=(const NeedsItsSize&) = delete;
    ~NeedsItsSize() {
#ifdef CUDA_SIMULATED_DEVICE
        if (cusim::launches().empty()) return;
        const auto& launch = cusim::launches().front();
        if (launch.staticSharedBytes == 0 && launch.dynamicSharedBytes < bytesOfTiles(tileWidth_))
            lab::beginWith("TODO(7)");
#endif
    }

  private:
    int tileWidth_;
};

inline TileRun runWithTile(const std::string& todo, matrix::DataSet set, int tileWidth,
                           const std::vector<std::string>& leftToOtherTests = {}) {
    const int Width = set.spec.j;
    TileRun run{std::move(set), matrix::poisoned(Width, Width)};
    const NeedsItsSize size(tileWidth);
    lab::runIgnoring(
        leftToOtherTests, todo,
        [&] {
            matrixMulWithTile(run.set.M.data(), run.set.N.data(), run.P.data(), Width, tileWidth);
        },
        lab::gives(run.P).from(run.set.M, run.set.N));
    return run;
}

inline TileRun runDynamic(const std::string& todo, matrix::DataSet set,
                          const std::vector<std::string>& leftToOtherTests = {}) {
    const int Width = set.spec.j;
    TileRun run{std::move(set), matrix::poisoned(Width, Width)};
    const NeedsItsSize size(kRows);
    lab::runIgnoring(
        leftToOtherTests, todo,
        [&] { dynamicMatrixMul(run.set.M.data(), run.set.N.data(), run.P.data(), Width); },
        lab::gives(run.P).from(run.set.M, run.set.N));
    return run;
}
