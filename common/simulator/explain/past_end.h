// Tells why a kernel's index is past the end of an array of the device, and what to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "simulator/findings/finding.h"
#include "simulator/include/cusim/launch.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

// Tests whether the running thread lies inside each described matrix, so that no guard sends it
// away.
bool isInside();
// Tests whether the grid has so few threads that one computes several elements. Then a thread's
// number tells no row.
bool computesSeveral();

// Returns that the running thread's row or column is not its number in the grid and lies outside of
// the array; empty where that is not known. Sets `at` to the line that gives it its value.
std::string wrongIndex(const Finding& finding, const KernelCall& call, const Allocation& array,
                       std::size_t bytes, int& at);

// Returns the remedy for an index that is, or is made of, what unset memory holds; else nothing.
std::string ifUnset(std::uint64_t index);

// Returns the remedy where the row and the column do not explain the access. No guard is advised to
// a thread that lies inside, and no other size for memory that the student has not allocated.
std::string remedyPastEnd(const Finding& finding, const KernelCall& call, const Allocation& array,
                          std::size_t offset, std::size_t bytes);

}  // namespace cusim
