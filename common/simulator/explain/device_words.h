// Tells by the words of CUDA in a kernel's source what is often confused: barriers and what only
// looks like one, blocks and threads, one dimension and two.
#pragma once

#include <cstddef>
#include <string>

#include "simulator/findings/finding.h"
#include "simulator/include/cusim/launch.h"

namespace cusim {

// Returns what to do about a __syncwarp() or a fence between two lines of one function that stands
// for a barrier; empty if there is none.
std::string ifWeakBarrier(const std::string& file, int upper, int lower);

// Returns a sentence about the first product of blockIdx and gridDim up to a line; empty without.
std::string ifByGrid(const std::string& file, int line);

// Returns what to do if a pointer that this line uses is set by an offset in bytes from an array of
// dynamic shared memory that holds elements; empty if not.
std::string ifOffsetInBytes(const std::string& file, int line, const std::string& array);

// Returns what to do if the function of this line uses threadIdx.y and the block has one dimension.
std::string ifFlatBlock(const std::string& file, int line, const dim3& block);

// Returns what to do about an access of so many bytes at an address that is no multiple of them.
std::string remedyOfMisaligned(const Place& at, std::size_t bytes);

}  // namespace cusim
