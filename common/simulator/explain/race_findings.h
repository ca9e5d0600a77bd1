// Reports what the race check noted in a launch.
#pragma once

#include <map>

#include "simulator/include/cusim/launch.h"
#include "simulator/observers/race_log.h"
#include "simulator/observers/unset_reads.h"

namespace cusim {

// Returns the races that the first `used` workers have seen, within blocks and between them.
RaceLog racesOf(int used);
// Reports them; `unset` are the uninitialized reads, some of which are explained by races.
void reportRaces(const KernelCall& call, const LaunchConfig& config, int used, const RaceLog& log,
                 const std::map<UnsetRead, UnsetExample>& unset);

}  // namespace cusim
