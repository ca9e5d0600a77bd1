// Reports what the race check and the check of unset reads noted in a launch.
#pragma once

#include <string>

#include "simulator/findings/finding.h"
#include "simulator/include/cusim/launch.h"
#include "simulator/observers/race_log.h"

namespace cusim {

// Reports the races and unset reads of a launch. `used` is the number of workers that took part.
// The findings' order depends on the source alone.
void reportMemoryFindings(const KernelCall& call, const LaunchConfig& config, int used,
                          const RaceLog& races);
// Reports the barriers that threads skipped by returning, and those at which only some of them met.
void reportSkippedBarriers(const std::string& kernel, const LaunchConfig& config, int used);
// Adds to a finding about threads that wait at different barriers the barrier in a branch, and the
// branch.
void nameBarrierInBranch(Finding& finding);

}  // namespace cusim
