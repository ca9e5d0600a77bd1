// What one host thread needs while it runs simulated threads. The hooks look at this on every
// access, through a thread-local pointer that is null outside kernels.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/core/finding.h"
#include "simulator/core/shared_memory.h"
#include "simulator/observers/counters.h"

namespace cusim {

class BlockRunner;

struct Worker {
    // Thread-local block of this host thread, in which the shared arrays lie.
    std::uintptr_t threadLocals = 0;
    std::size_t threadLocalBytes = 0;
    const std::uint16_t* sharedOwner = nullptr;
    struct Extent {
        std::size_t offset, bytes;
    };
    std::vector<Extent> shared;  // by index of SharedMemoryMap::arrays()

    // The stack of the simulated thread that runs now.
    std::uintptr_t stackLow = 0;
    std::size_t stackBytes = 0;

    // The launch's arguments, which a kernel's copy constructors may read.
    std::uintptr_t arguments = 0;
    std::size_t argumentBytes = 0;

    bool count = true;
    bool countElements = false;
    Counters counters;
    ElementCounters elements;

    BlockRunner* runner = nullptr;
};

}  // namespace cusim

extern "C" {
extern __thread cusim::Worker* cusimWorker;
}
