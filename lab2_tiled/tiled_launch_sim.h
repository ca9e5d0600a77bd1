// What the simulated device says about a call of tiledMatrixMul.
#pragma once

#include <algorithm>

#include "lab2_tiled/tiled_run.h"
#include "simulator/simulator.h"

// A race does not change what is counted, and what is left out of P does not either. Both have
// tests of their own: those of the barriers, of the product and of the store.
inline const std::vector<std::string> kNotAboutCounts = {"race", "unset-output"};

inline std::uint64_t squared(int n) {
    return static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n);
}

// Of the last call.
inline const cusim::LaunchReport& launchOf(const std::string& todo) {
    if (cusim::launches().empty())
        lab::fail("not-launched", todo + ": tiledMatrixMul launches no kernel.");
    return cusim::launches().front();
}

// What the blocks' shared arrays take, however they are declared.
inline std::uint64_t sharedBytes(const cusim::LaunchReport& launch) {
    std::uint64_t used = 0;
    for (const auto& array : launch.arrays)
        if (array.space == cusim::Space::Shared) used += array.bytes;
    return std::max<std::uint64_t>(used, launch.staticSharedBytes + launch.dynamicSharedBytes);
}

// Two tiles of floats, each row of which is `pitch` floats long.
inline std::uint64_t bytesOfTiles(int pitch) {
    return 2 * sizeof(float) * static_cast<std::uint64_t>(tileWidth()) *
           static_cast<std::uint64_t>(pitch);
}

// Counts how often each element is loaded and stored, for as long as it lives.
struct CountElements {
    CountElements() { cusim::options().countElements = true; }
    CountElements(const CountElements&) = delete;
    CountElements& operator=(const CountElements&) = delete;
    ~CountElements() { cusim::options().countElements = false; }
};
