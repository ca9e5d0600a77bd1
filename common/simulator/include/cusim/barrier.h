// Barriers that are objects in shared memory, of as many threads as they say (CUDA C++ Programming
// Guide, "Asynchronous Barrier"). Functions that touch the object are called from the kernel
// itself, because the return address gives the line.
#pragma once

#include <cstdint>

#include "cusim/where.h"

namespace cusim {

// In one word: how many threads a phase needs, how many are missing, the number of the phase.
struct alignas(8) Barrier {
    std::uint64_t word;
};

void initBarrier(Barrier* barrier, unsigned count);
// Arrives for `count` threads; `dropped` of them take no part in later phases, and `waits` says
// that the thread waits at once. Returns the phase.
std::uint64_t arriveAt(Barrier* barrier, unsigned count, unsigned dropped, bool waits = false);
// Waits for the end of a phase.
void waitAt(const Barrier* barrier, std::uint64_t phase, Where at);
bool hasEnded(const Barrier* barrier, std::uint64_t phase);
std::uint64_t phaseOf(const Barrier* barrier);

}  // namespace cusim
