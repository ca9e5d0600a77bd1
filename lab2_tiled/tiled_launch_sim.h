// Reads the simulated device's report of a call of tiledMatrixMul.
#pragma once

#include <algorithm>

#include "lab2_tiled/tiled_run.h"
#include "testing/lab_sim.h"

// Findings that do not change the counts; the tests of the barriers, the product and the store
// report them.
inline const std::vector<std::string> kNotAboutCounts = {"race", "unset-output"};

// The accesses of each step, outside of arrays as well; other steps can be judged without them.
inline const lab::AccessesOfSteps kAccesses = {
    {2, {"reads M"}}, {3, {"reads N"}}, {5, {"reads Mds", "reads Nds"}}, {7, {"writes P"}}};

// Whether the test of the grid has seen the right one. A wrong one loads more than tiles take.
inline bool gridIsRight = false;

// Returns the last call's launch; fails the test if there is none.
inline const cusim::LaunchReport& launchOf(const lab::Text& about) {
    return lab::launchOf(about, "tiledMatrixMul launches no kernel.");
}

// Returns the bytes of the blocks' shared arrays, in any declaration.
inline std::uint64_t sharedBytes(const cusim::LaunchReport& launch) {
    std::uint64_t used = 0;
    for (const auto& array : launch.arrays)
        if (array.space == cusim::Space::Shared) used += array.bytes;
    return std::max<std::uint64_t>(used, launch.staticSharedBytes + launch.dynamicSharedBytes);
}

// Returns the bytes of two tiles of floats with rows of `pitch` floats.
inline std::uint64_t bytesOfTiles(int pitch) {
    return 2 * sizeof(float) * static_cast<std::uint64_t>(tileWidth()) *
           static_cast<std::uint64_t>(pitch);
}
