// Writes the counts of a launch for other programs, such as `make profile`.
#pragma once

#include "simulator/simulator.h"

namespace cusim {

// Appends a line of JSON to the file Options::counts. Ends the program with status 2 if that fails.
void writeCounts(const LaunchReport& launch);

}  // namespace cusim
