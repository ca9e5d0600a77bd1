// The device that is simulated: its limits, as cudaGetDeviceProperties tells them.
#pragma once

#include "simulator/include/cusim/device_properties.h"

namespace cusim {

// Compute capability 7.0 (CUDA C++ Programming Guide, "Technical specifications per compute
// capability"), with the host's memory in mind: 4 GiB of device memory.
const cudaDeviceProp& deviceProfile();

}  // namespace cusim
