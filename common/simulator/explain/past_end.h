// Explains why a kernel's index is past the end of a device array, and what to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "simulator/findings/finding.h"
#include "simulator/include/cusim/launch.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

// Tests whether the running thread is inside each described matrix, so that no guard excludes it.
bool isInside();
// Tests whether the grid has so few threads that one computes several elements. Then a thread's
// number is not a row.
bool computesSeveral();

// Returns that the running thread's row or column is not its number in the grid and is outside of
// the array; empty if that is not known. Sets `at` to the line that gives it its value.
std::string wrongIndex(const Finding& finding, const KernelCall& call, const Allocation& array,
                       std::size_t bytes, int& at);

// Returns the remedy for an index that is, or is computed from, an uninitialized value; else
// nothing.
std::string ifUnset(std::uint64_t index);

// Returns the remedy if the row and the column do not explain the access. Suggests no guard for a
// thread that is inside, and no other size for memory that the student has not allocated.
std::string remedyPastEnd(const Finding& finding, const KernelCall& call, const Allocation& array,
                          std::size_t offset, std::size_t bytes);

}  // namespace cusim
