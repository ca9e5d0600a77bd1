// What a launch has stored in memory that the host may access, too.
#pragma once

#include "simulator/include/cusim/launch.h"
#include "simulator/simulator.h"

namespace cusim {

// Notes the host memory that `used` workers have stored to: its values, and that the host must wait
// for the launch before it uses them.
void noteSharedStores(const LaunchReport& report, const LaunchConfig& config, int used);

}  // namespace cusim
