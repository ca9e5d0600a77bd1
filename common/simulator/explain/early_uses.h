// Reports uses of shared memory into which a copy was still under way.
#pragma once

#include "simulator/include/cusim/launch.h"

namespace cusim {

// `used` is the number of workers that took part.
void reportEarlyUses(const KernelCall& call, const LaunchConfig& config, int used);

}  // namespace cusim
