// What the device's limits say of a launch.
#pragma once

#include <cstddef>
#include <string>

#include "simulator/include/cusim/errors.h"
#include "simulator/include/cusim/launch.h"

namespace cusim {

// Returns the error of a launch that the limits refuse, and says why. `dynamicLimit`: bytes of
// shared memory that a block may take.
cudaError_t checkLimits(const LaunchConfig& config, std::size_t staticShared, int dynamicLimit,
                        std::string& why);

// Returns what such a launch needs. `asked` is what cudaFuncSetAttribute has set, -1 for nothing.
std::string remedyOf(cudaError_t error, const LaunchConfig& config, std::size_t staticShared,
                     int asked);

}  // namespace cusim
