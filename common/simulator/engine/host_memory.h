// The matrices of a test in host memory, and where they are on the device. One copy from a matrix
// to the start of an allocation determines that by its addresses (see Allocation::copiedFrom).
// Others are found by their content: staged in other host memory, copied row by row or into pitched
// rows, in managed memory, or several in one allocation.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "simulator/memory/device_memory.h"
#include "simulator/simulator.h"

namespace cusim {

// Returns the bytes from this address to the end of the host memory that holds it, if that memory
// is described or if `bytes` exceed what malloc gave; or nothing.
std::optional<std::size_t> hostBytesFrom(const void* pointer, std::size_t bytes = 0);

// A matrix in an allocation: `bytes` in rows of `width` bytes, which begin `pitch` bytes apart.
struct Placed {
    const void* host;
    int allocation;
    std::size_t offset, bytes, width, pitch;
};

// Finds the described matrices in every allocation, as it is before a launch. The launch shows
// which of these places its kernel uses: pinned memory may hold the same matrix as device memory.
std::vector<Placed> placedInputs();

// Adds what a launch did with the matrices at the first of these places that it used, unless
// addresses determine it.
void notePlaced(LaunchReport& launch, const std::vector<Placed>& places, bool isInput);

// Keeps a copy of what the host receives: the bytes of a copy, or all of an allocation.
void keepReceived(const Allocation& from, const void* source, std::size_t bytes);

// Moves bytes between host and device, or within one of them: memmove, or another function if host
// code runs in another process.
extern void (*moveBytes)(void* target, const void* source, std::size_t bytes);

// Finds the described matrices among that, after a call of student code.
void findReceived();

}  // namespace cusim
