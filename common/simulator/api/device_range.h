// Checks device memory that the host passes to a call.
#pragma once

#include <cstddef>
#include <string>

#include "simulator/findings/finding.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

enum class RangeFault { None, Null, Freed, HiddenVariable, NoArray, PastEnd };

struct DeviceRange {
    const Allocation* array;  // null if nothing is allocated at the first byte
    RangeFault fault;
};

// Returns what is wrong with these bytes of device memory.
DeviceRange rangeOf(const void* start, std::size_t bytes);

constexpr const char* kEmpty =
    "For 0 bytes cudaMalloc returns a null pointer: check how the size is computed.";

// Return findings that are the same for each call. `operand` is the call and the role of the array,
// as in "cudaMemcpy: the target".
Finding freedFinding(const std::string& operand, const Allocation& array, const Where& at);
std::string tellHidden(const std::string& operand, const Allocation& variable);

}  // namespace cusim
