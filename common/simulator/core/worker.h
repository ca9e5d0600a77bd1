// What one host thread needs while it runs simulated threads. The hooks look at this on every
// access, through a thread-local pointer that is null outside kernels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulator/core/access.h"
#include "simulator/core/finding.h"
#include "simulator/core/quick_reads.h"
#include "simulator/core/shared_memory.h"
#include "simulator/core/watchdog.h"
#include "simulator/observers/counters.h"
#include "simulator/observers/races.h"
#include "simulator/observers/trace.h"
#include "simulator/observers/unset_reads.h"
#include "simulator/observers/warps.h"

namespace cusim {

class BlockRunner;

// One shared array or one allocation, as this host thread uses it in this launch.
struct ArraySlot {
    // Of a shared array: into the thread-local block. Of device memory: an address.
    std::uintptr_t start = 0;
    std::size_t bytes = 0;
    AccessCount count;
    std::uint8_t* marks = nullptr;   // see unset_reads.h; null where all counts as written
    std::uint8_t* stored = nullptr;  // see stored_values.h; null for shared arrays
};

// On cache lines of its own: host threads write theirs all the time.
struct alignas(64) Worker {
    // Thread-local block of this host thread, in which the shared arrays lie.
    std::uintptr_t threadLocals = 0;
    std::size_t threadLocalBytes = 0;

    // See quick_reads.h. Copies of what the two tables hold, side by side for the hot path.
    QuickRead* sharedEntries = nullptr;
    QuickRead* deviceEntries = nullptr;
    std::size_t deviceEntryBytes = 0;
    std::uint64_t* quickLoads = nullptr;  // by counter: shared arrays first, then allocations
    std::uint32_t quickEpoch = 0;         // the actor's epoch; 0 while every read is looked at
    const std::uint16_t* sharedOwner = nullptr;
    std::vector<ArraySlot> shared;  // by index of SharedMemoryMap::arrays()
    std::vector<ArraySlot> global;  // by Allocation::id
    AccessCount local;
    std::uint64_t barriers = 0;

    // The stack of the simulated thread that runs now.
    std::uintptr_t stackLow = 0;
    std::size_t stackBytes = 0;
    // How far down threads have used their stacks since the launch began, as far as it was noted:
    // nobody notes a frame without arrays and the hooks that it calls.
    std::size_t stackUsed = 0;
    void noteStack(const void* deepest, std::size_t below) {
        const auto address = reinterpret_cast<std::uintptr_t>(deepest);
        stackUsed = std::max(stackUsed, stackLow + stackBytes - address + below);
    }

    // The launch's arguments, which a kernel's copy constructors may read.
    std::uintptr_t arguments = 0;
    std::size_t argumentBytes = 0;

    Actor actor;
    std::uint32_t nextEpoch = 1;

    QuickReads sharedReads, deviceReads;
    std::vector<std::uint64_t> quickCounts;

    bool count = true, countElements = false, checkRaces = true, checkUnset = true;
    bool logWarps = false;                  // in this block
    std::vector<std::uint64_t> warpBlocks;  // the blocks in which it is on, in order
    ElementCounters elements;
    Races races;
    UnsetReads unset;
    Warps warps;
    Trace trace;

    Progress progress;  // a step is the turn of one simulated thread

    BlockRunner* runner = nullptr;

    // To be called when a simulated thread takes its turn. Observers that want every access, and
    // the epochs of __syncwarp, are not for quick reads.
    void chooseQuickEpoch() {
        quickEpoch =
            logWarps || countElements || trace.on() || actor.warpEpoch != 0 ? 0 : actor.epoch;
    }

    // A barrier, or the end of a block: what went before is ordered before what comes.
    void endEpoch() {
        if (checkRaces) races.endEpoch(actor.block, sharedOwner, sharedStart);
        actor.epoch = nextEpoch++;
    }
    std::vector<std::size_t> sharedStart;
};

}  // namespace cusim

extern "C" {
extern __thread cusim::Worker* cusimWorker;
}
