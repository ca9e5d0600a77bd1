// Remedies for an array whose size does not fit the matrix, the rows or the elements for which the
// kernel uses it.
#pragma once

#include <cstddef>
#include <string>

#include "simulator/findings/finding.h"
#include "simulator/include/cusim/launch.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"

namespace cusim {

// Returns a remedy for an array with less room than the matrix that belongs to it, if the access
// is inside that matrix; else nothing.
std::string ifTooSmall(const Allocation& array, std::size_t end, std::size_t bytes);

// Returns what to do about an array that has room for a matrix, but not for the gaps between the
// rows of the host memory from which it is filled; else nothing.
std::string ifRowsHaveGaps(const Finding& finding, const KernelCall& call, const Allocation& array,
                           std::size_t offset, const ArrayShape& shape);

// Returns what to do about an array of pitched rows, or one with as many bytes as the line's whole
// number counts elements; else nothing.
std::string ifCountedInBytes(const Finding& finding, const KernelCall& call,
                             const Allocation& array, std::size_t bytes);

}  // namespace cusim
