// The limits of the simulated device, as cudaGetDeviceProperties returns them.
#pragma once

#include <string>
#include <vector>

#include "simulator/include/cusim/device_properties.h"

namespace cusim {

// Returns the properties of the profile that options().profile names.
const cudaDeviceProp& deviceProfile();
const cudaDeviceProp& deviceProfile(const std::string& name);

// Returns how many blocks fit a multiprocessor of this device.
struct Occupancy;
Occupancy occupancyOn(const cudaDeviceProp& device, int threadsPerBlock, std::size_t sharedBytes);

bool isProfile(const std::string& name);
std::vector<std::string> profileNames();

}  // namespace cusim
