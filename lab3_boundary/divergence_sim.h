// Counts divergent warps: those whose threads do not all execute the same accesses, because a test
// lets only some of them load.
#pragma once

#include "lab3_boundary/bounded_launch_sim.h"

struct Divergence {
    std::uint64_t divergent = 0, warps = 0;
    double share() const { return static_cast<double>(divergent) / static_cast<double>(warps); }
};

// Computes P in bands of one by eight tiles, a call for each, so that every warp is counted: the
// simulated device observes the warps of at most eight blocks of a launch. No band cuts a tile.
// `phaseByPhase` also cuts k into phases, so that a warp counts once in each.
inline Divergence divergenceOf(Shape shape, bool phaseByPhase) {
    const int T = tileWidth();
    const int stepK = phaseByPhase ? T : shape.k;
    Divergence sum;
    for (int row = 0; row < shape.j; row += T)
        for (int col = 0; col < shape.l; col += 8 * T)
            for (int i = 0; i < shape.k; i += stepK) {
                runBounded("boundedMatrixMul",
                           lab::integers({std::min(T, shape.j - row), std::min(stepK, shape.k - i),
                                          std::min(8 * T, shape.l - col)}));
                const auto& launch = launchOf("boundedMatrixMul");
                if (launch.warps.blocks != lab::blocksOf(launch))
                    lab::fail("not-counted",
                              "the simulated device has not observed all blocks. This is not "
                              "your mistake:\nplease report it.");
                sum.divergent += launch.warps.divergentWarps;
                sum.warps += launch.warps.warps;
            }
    return sum;
}
