// The simulated device: its limits, as cudaGetDeviceProperties tells them.
#pragma once

#include <string>
#include <vector>

#include "simulator/include/cusim/device_properties.h"

namespace cusim {

// Returns the properties of the profile that options().profile names.
const cudaDeviceProp& deviceProfile();

bool isProfile(const std::string& name);
std::vector<std::string> profileNames();

}  // namespace cusim
