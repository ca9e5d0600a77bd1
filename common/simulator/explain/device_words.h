// Finds common confusions by the CUDA words in a kernel's source: barriers and what only looks like
// one, blocks and threads, one dimension and two.
#pragma once

#include <cstddef>
#include <string>

#include "simulator/findings/finding.h"
#include "simulator/include/cusim/launch.h"

namespace cusim {

// Returns what to do about a __syncwarp() or a fence that replaces a barrier between two lines of
// one function; empty if there is none.
std::string ifWeakBarrier(const std::string& file, int upper, int lower);

// Returns a sentence about the first product of blockIdx and gridDim up to a line, or empty.
std::string ifByGrid(const std::string& file, int line);

// Returns what to do if a pointer that this line uses is set to an offset in bytes from an array of
// elements in dynamic shared memory; else empty.
std::string ifOffsetInBytes(const std::string& file, int line, const std::string& array);

// Returns what to do if the function of this line uses threadIdx.y and the block has one dimension.
std::string ifFlatBlock(const std::string& file, int line, const dim3& block);

// Returns what to do about an access of `bytes` bytes at an address that is no multiple of them.
std::string remedyOfMisaligned(const Place& at, std::size_t bytes);

}  // namespace cusim
