// Which bytes of device memory a launch uses.
#pragma once

#include "simulator/include/cusim/launch.h"
#include "simulator/simulator.h"

namespace cusim {

// Has the launch that begins note what it uses: of all memory if races are checked, else of memory
// that the host may access, too.
void beginUses();

// Takes what `used` workers have noted, also the values that are stored in memory of the host. A
// launch that has not ended uses nothing.
void noteUses(const LaunchReport& report, const LaunchConfig& config, int used);

// Takes the arrays that a refused launch was given for written: that they are not follows from it.
void excuseArrays(const KernelCall& call);

// Tests whether an argument is an address in a __constant__ variable.
bool hasAddressOfConstant(const KernelCall& call);

}  // namespace cusim
