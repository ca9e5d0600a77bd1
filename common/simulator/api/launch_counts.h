// Adds up what the workers of a launch have counted.
#pragma once

#include "simulator/simulator.h"

namespace cusim {

// Adds the counts of the first `used` workers to a report, of each space and each array.
void addUp(LaunchReport& report, int used);

}  // namespace cusim
