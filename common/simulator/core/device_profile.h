// The device that is simulated: its limits, as cudaGetDeviceProperties tells them.
#pragma once

#include <string>
#include <vector>

#include "simulator/include/cusim/device_properties.h"

namespace cusim {

// Of the profile that options().profile names.
const cudaDeviceProp& deviceProfile();

bool isProfile(const std::string& name);
std::vector<std::string> profileNames();

}  // namespace cusim
