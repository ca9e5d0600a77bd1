// What the device's limits say of a launch.
#pragma once

#include <cstddef>
#include <string>

#include "simulator/findings/finding.h"
#include "simulator/include/cusim/errors.h"
#include "simulator/include/cusim/launch.h"

namespace cusim {

// Tests whether the function at this address was declared __global__. The attribute behind that
// word (cusim/keywords.h) makes the compiler put a no-operation in front of the function, and its
// address into a section. Unlike the text of a .cu file, this also tells templates, overloads and
// functions behind pointers apart.
bool isKernel(const void* function);

// Returns the size of a static shared array, by its index in SharedMemoryMap, for blocks of this
// kernel: 0 where another kernel declares it. Null is any kernel.
std::size_t sharedBytesFor(const void* kernel, std::size_t array);

// Returns how many bytes of dynamic shared memory a block of this kernel gets at most, if asked
// for.
std::size_t mostDynamicShared(const void* function);
// Returns how many cudaFuncSetAttribute has asked for, -1 for nothing. What was all of a larger
// device is all of this one.
int dynamicSharedAsked(const void* function);

// Returns the error of a launch that the limits refuse, and says why. `dynamicLimit`: bytes of
// shared memory that a block may take.
cudaError_t checkLimits(const LaunchConfig& config, std::size_t staticShared, int dynamicLimit,
                        std::string& why);

// Returns what such a launch at this line needs. `asked` is what cudaFuncSetAttribute has set, -1
// for nothing.
std::string remedyOf(cudaError_t error, const LaunchConfig& config, std::size_t staticShared,
                     int asked, const Place& at);

}  // namespace cusim
