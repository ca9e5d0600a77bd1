// Reads the simulated device's report of a launch with tiles.
#pragma once

#include "lab4_memtypes/tile_run.h"
#include "testing/lab_sim.h"

inline constexpr int kTile = 32;

// Findings that do not change the counts; other tests report them.
inline const std::vector<std::string> kNotAboutCounts = {"race", "unset-output", "unset-read"};

// The accesses of each step, outside of arrays as well; other steps can be judged without them.
inline const lab::AccessesOfSteps kAccesses = {
    {2, {"writes MdsNds"}}, {3, {"reads M", "reads N"}}, {4, {"reads MdsNds"}}, {5, {"writes P"}}};

// Gives launches the shared memory of two tiles, for as long as it lives, so that the kernel can be
// judged if the host side requests less.
class WithSharedMemory : lab::ChosenOptions {
  public:
    explicit WithSharedMemory(int tileWidth) {
        cusim::options().leastSharedBytes = bytesOfTiles(tileWidth);
    }
};

using lab::launchOf;
