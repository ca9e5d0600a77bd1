// Reads the simulated device's report of a call of boundedMatrixMul.
#pragma once

#include "lab3_boundary/bounded_run.h"
#include "testing/device.h"
#include "testing/lab_sim.h"

// Findings that do not change the counts; other tests report them.
inline const std::vector<std::string> kNotAboutCounts = {"race", "unset-output", "unset-read"};

// The accesses of each step, outside of arrays as well; other steps can be judged without them.
// The sums have come with the file.
inline const lab::AccessesOfSteps kAccesses = {
    {0, {"reads Mds", "reads Nds"}}, {2, {"reads M"}}, {3, {"reads N"}}, {5, {"writes P"}}};

// Returns the last call's launch; fails the test if there is none.
inline const cusim::LaunchReport& launchOf(const lab::Text& about) {
    return lab::launchOf(about, "boundedMatrixMul launches no kernel.");
}

// Returns how many phases a thread goes through, by its stores of one element to each of two tiles;
// 0 if its stores are others.
inline std::uint64_t phasesStored(const cusim::LaunchReport& launch) {
    const std::uint64_t stores = launch.shared().stores;
    return stores % (2 * launch.threads) == 0 ? stores / (2 * launch.threads) : 0;
}

// During its life, gives launches the grid that P needs if theirs has another number of blocks. So
// the kernel can be judged before the grid is right. Fails the test if the launch itself makes the
// product wrong.
class WithRightGrid : lab::ChosenOptions {
  public:
    explicit WithRightGrid(Shape shape) {
        const matrix::DataSet set = lab::integers(shape);
        matrix::Matrix P = matrix::poisoned(shape.j, shape.l);
        device::reset();
        device::runQuietly(lab::gives(P).from(set.M, set.N), [&] {
            boundedMatrixMul(set.M.data(), set.N.data(), P.data(), shape.j, shape.k, shape.l);
        });
        if (cusim::launches().empty()) return;
        const auto& launch = cusim::launches().front();
        ownDepth = launch.grid.z;
        if (!lab::isRight({set, P}))
            expectLaunchOf(launch, "boundedMatrixMulKernel",
                           {{"j", shape.j}, {"k", shape.k}, {"l", shape.l}}, shape);
        const auto width = static_cast<unsigned>(tileWidth());
        const bool ofTiles = launch.block.x == width && launch.block.y == width;
        if (ofTiles && lab::blocksOf(launch) != product(tilesIn(shape.j), tilesIn(shape.l)))
            cusim::options().grid = dim3(static_cast<unsigned>(tilesIn(shape.l)),
                                         static_cast<unsigned>(tilesIn(shape.j)));
    }
    unsigned ownDepth = 1;  // gridDim.z of the launch itself
};

// Runs the function for its counts alone.
inline lab::ProductRun runForCounts(Shape shape) {
    return runBounded("boundedMatrixMul", lab::integers(shape), kNotAboutCounts);
}
