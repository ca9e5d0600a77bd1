// Adds the counts of the workers of a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/simulator.h"

namespace cusim {

// Adds the counts of the first `used` workers to a report, of each space and each array.
void addUp(LaunchReport& report, int used);

// Returns the blocks whose warps are observed, in order: the same ones on every run, and spread so
// that they are not all in one column of the grid.
std::vector<std::uint64_t> warpSample(std::uint64_t blocks);

}  // namespace cusim
