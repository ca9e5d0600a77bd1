// Turns what the race check and the check of unset reads noted in a launch into findings.
#pragma once

#include <string>

#include "simulator/include/cusim/launch.h"

namespace cusim {

// `used` is how many of the workers took part. Findings come in an order that depends on the
// source alone.
void reportMemoryFindings(const std::string& kernel, const LaunchConfig& config, int used);
// The same for barriers that threads had skipped by returning.
void reportSkippedBarriers(const std::string& kernel, const LaunchConfig& config, int used);

}  // namespace cusim
