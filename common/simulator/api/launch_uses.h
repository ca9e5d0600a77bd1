// Which bytes of device memory a launch uses.
#pragma once

#include "simulator/include/cusim/launch.h"
#include "simulator/simulator.h"

namespace cusim {

// Makes the launch that begins note the bytes it uses: of all memory if races are checked,
// otherwise of memory that the host may access, too.
void beginUses();

// Adds what `used` workers have noted, also the values stored in memory of the host. A launch that
// has not ended uses nothing.
void noteUses(const LaunchReport& report, const LaunchConfig& config, int used);

// Marks the arrays of a refused launch as written: they are unwritten only because it was refused.
void excuseArrays(const KernelCall& call);

// Tests whether an argument is an address in a __constant__ variable.
bool hasAddressOfConstant(const KernelCall& call);

}  // namespace cusim
