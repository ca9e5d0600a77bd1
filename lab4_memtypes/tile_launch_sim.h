// Reads the simulated device's report of a launch with tiles.
#pragma once

#include "lab4_memtypes/tile_run.h"
#include "testing/lab_sim.h"

// Findings that do not change the counts; other tests report them.
inline const std::vector<std::string> kNotAboutCounts = {"race", "unset-output", "unset-read"};

using lab::launchOf;
