// The state of a host thread that runs simulated threads. The hooks read it on every access through
// a thread-local pointer, which is null outside kernels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/engine/watchdog.h"
#include "simulator/findings/finding.h"
#include "simulator/memory/access.h"
#include "simulator/memory/byte_marks.h"
#include "simulator/memory/shared_memory.h"
#include "simulator/observers/async_copies.h"
#include "simulator/observers/counters.h"
#include "simulator/observers/local_indices.h"
#include "simulator/observers/races.h"
#include "simulator/observers/recording.h"
#include "simulator/observers/runs.h"
#include "simulator/observers/trace.h"
#include "simulator/observers/unset_reads.h"
#include "simulator/observers/warps.h"
#include "simulator/simulator.h"

namespace cusim {

class BlockRunner;

// One shared array or allocation, as this host thread uses it in this launch.
struct ArraySlot {
    // An offset into the thread-local block (shared array) or an address (device memory).
    std::uintptr_t start = 0;
    std::size_t bytes = 0;
    AccessCount count;
    std::uint8_t* marks = nullptr;   // see unset_reads.h; null if every byte counts as written
    std::uint8_t* stored = nullptr;  // see stored_values.h; null for shared arrays
    UsedBytes* used = nullptr;       // null if uses are not noted, as for shared arrays
    Piece usedWithin{SIZE_MAX, 0};   // no byte outside of this is used
    std::uint32_t writtenIn = 0;     // the epoch of the last write
    // All its bytes are set: by this block if it is a shared array.
    bool allSet = false;
    std::uint8_t looks = 0;  // searches for unset bytes

    void noteUse(ByteUse how, std::size_t offset, std::size_t size) {
        markBytes(used->marks(how), offset, size);
        usedWithin = {std::min(usedWithin.begin, offset), std::max(usedWithin.end, offset + size)};
    }
};

// Aligned to cache lines, because each host thread writes to its own all the time.
struct alignas(64) Worker {
    // The thread-local block of this host thread, which holds the shared arrays.
    std::uintptr_t threadLocals = 0;
    std::size_t threadLocalBytes = 0;

    bool mayRun = false;       // accesses may be predicted in runs
    bool interrupted = false;  // other blocks have run since the epoch began
    const std::uint16_t* sharedOwner = nullptr;
    std::vector<ArraySlot> shared;  // by index of SharedMemoryMap::arrays()
    std::vector<ArraySlot> global;  // by Allocation::id
    AccessCount local, heap;
    std::uint64_t barriers = 0;

    // The stack of the simulated thread that runs now.
    std::uintptr_t stackLow = 0;
    std::size_t stackBytes = 0;
    std::size_t stackAbove = 0;  // of it, the simulator's part above all that kernels store to
    // The deepest use of a stack since the launch began that noteStack() saw: it misses a frame
    // without arrays and the hooks below it.
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

    Runs runs;
    // The loads in runs, by counter: shared arrays first, then allocations.
    std::vector<std::uint64_t> loadsInRuns;

    bool count = true, checkRaces = true, checkUnset = true;
    bool countElements = false, countSharedElements = false;
    bool yields = false;                    // a thread that waits for a value ends its turn
    bool alone = true;                      // no other host thread runs blocks of the launch
    bool logWarps = false;                  // for this block
    std::vector<std::uint64_t> warpBlocks;  // blocks for which it is set, in order
    ElementCounters elements;
    LocalIndices localIndices;
    Races races;
    UnsetReads unset;
    AsyncCopies copies;
    Warps warps;
    Trace trace;
    Recording recording;
    // Those of the launch: trace, recording, or in a second run HappensBefore.
    std::vector<Observer*> observers;
    bool noteEach = false;  // observers is not empty
    // Calls all observers, as in notify(&Observer::meet, block, true).
    template <class... Parameters, class... Arguments>
    void notify(void (Observer::*what)(Parameters...), const Arguments&... values) {
        for (Observer* const observer : observers) (observer->*what)(values...);
    }
    AccessMode mode;               // of the access under way
    const void* copied = nullptr;  // the bytes of the asynchronous copy that begins

    // Returns the address at which the frames of the kernel's functions end on the running stack.
    std::uintptr_t framesEnd() const { return stackLow + stackBytes - stackAbove; }

    // Returns the array of a counter of loadsInRuns.
    ArraySlot& slotOf(std::size_t counter) {
        return counter < shared.size() ? shared[counter] : global[counter - shared.size()];
    }

    Progress progress;  // a step is the turn of one simulated thread

    // The name of an access outside of its array, and whether Options::forgiven has it.
    struct Outside {
        std::string access;
        bool isListed = false;
    };
    std::map<const void*, Outside> outside;  // those of this launch, by return address

    BlockRunner* runner = nullptr;

    // Ends the runs of the last turn. Enables runs for the thread that takes its turn, unless an
    // observer needs every access or __syncwarp has begun an epoch, which runs do not have.
    void beginTurn();

    // Ends the epoch before a barrier or the end of a block: that orders accesses after it.
    void endEpoch() {
        runs.endEpoch([&](std::size_t counter) {
            const std::uint32_t epoch = slotOf(counter).writtenIn;
            return epoch == actor.epoch || (interrupted && epoch > 0);
        });
        if (checkRaces) races.endEpoch(actor.block, sharedOwner, sharedStart);
        actor.epoch = nextEpoch++;
        interrupted = false;
    }
    // Ends it at a barrier, unless barriers order nothing (Options::barriersOrder).
    void passBarrier() {
        if (options().barriersOrder)
            endEpoch();
        else
            runs.endRows();
    }
    std::vector<std::size_t> sharedStart;
    // The products by a warp (mma.h); last, so that the offsets of what each access reads stay.
    std::uint64_t tensorOperations = 0, tensorFlop = 0;
};

// No run begins at any of these.
extern AccessSite unusedSites[Runs::kSites];

}  // namespace cusim

extern "C" {
extern __thread cusim::Worker* cusimWorker;
// The worker's sites in a kernel, and unused ones outside of it.
extern __thread cusim::AccessSite* cusimSites;
}
