// Checks a launch against the limits of the device.
#pragma once

#include <cstddef>
#include <string>

#include "simulator/findings/finding.h"
#include "simulator/include/cusim/errors.h"
#include "simulator/include/cusim/launch.h"

namespace cusim {

// Tests whether the function at this address was declared __global__. The attribute that this word
// stands for (cusim/keywords.h) makes the compiler put a no-operation before the function, and its
// address into a section. Unlike the text of a .cu file, this also distinguishes templates,
// overloads and functions called by a pointer.
bool isKernel(const void* function);

// Returns the size of a static shared array, by its index in SharedMemoryMap, for blocks of this
// kernel: 0 if another kernel declares it. Null is any kernel.
std::size_t sharedBytesFor(const void* kernel, std::size_t array);

// Returns the most bytes of dynamic shared memory that a block of this kernel can request.
std::size_t mostDynamicShared(const void* function);
// Returns the bytes that cudaFuncSetAttribute has set, -1 for none. All bytes of a larger device
// become all of this one.
int dynamicSharedAsked(const void* function);

// Returns the error of a launch that the limits refuse, and reports the reason. `dynamicLimit`:
// bytes of shared memory that a block may take.
cudaError_t checkLimits(const LaunchConfig& config, std::size_t staticShared, int dynamicLimit,
                        std::string& why);

// Returns the remedy for such a launch at this line. `asked` is what cudaFuncSetAttribute has set,
// -1 for none.
std::string remedyOf(cudaError_t error, const LaunchConfig& config, std::size_t staticShared,
                     int asked, const Place& at);

}  // namespace cusim
