// Begins asynchronous copies, and moves the bytes when a thread waits for them; barriers that are
// objects in shared memory.
#include "simulator/include/cusim/async_copy.h"

#include <cstdint>
#include <cstring>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/copied_sources.h"
#include "simulator/explain/out_of_bounds.h"
#include "simulator/findings/source_lines.h"
#include "simulator/hooks/hooks.h"
#include "simulator/include/cusim/atomics.h"

namespace cusim {
namespace {

// Moves the bytes of copies that have ended. They count as written now, by the thread that began
// the copy.
void land(const std::vector<AsyncCopy>& copies) {
    Worker& worker = *cusimWorker;
    for (const AsyncCopy& copy : copies) {
        checkSource(worker, copy);
        worker.notify(&Observer::waitForCopy, worker.actor.block, worker.actor.thread, copy.thread,
                      copy.number);
        Actor copier = worker.actor;
        copier.thread = copy.thread;
        auto* const target = reinterpret_cast<char*>(worker.threadLocals + copy.target);
        const std::size_t read = copy.bytes - copy.zeros;
        std::memcpy(target, copy.source, read);
        std::memset(target + read, 0, copy.zeros);
        worker.shared[worker.sharedOwner[copy.target]].writtenIn = worker.actor.epoch;
        if (worker.checkRaces)
            worker.races.onShared(copy.target, copy.bytes, copy.instruction, copier);
    }
}

// The parts of a barrier's word.
struct Parts {
    static constexpr unsigned kBits = 20, kMask = (1u << kBits) - 1;
    unsigned expected, missing;
    std::uint64_t phase;

    explicit Parts(const Barrier& barrier)
        : expected(barrier.word & kMask),
          missing(barrier.word >> kBits & kMask),
          phase(barrier.word >> 2 * kBits) {}
    std::uint64_t word() const {
        return std::uint64_t{expected} | std::uint64_t{missing} << kBits | phase << 2 * kBits;
    }
};

// Arriving orders the thread's accesses before those of threads whose wait then ends.
AccessMode modeOf(bool waits) {
    AccessMode mode;
    mode.scope = Scope::Block;
    mode.acquires = waits;
    mode.releases = mode.writes = !waits;
    return mode;
}

// Returns an address that identifies a phase. Threads may arrive for the next phase before all have
// seen the end of this one.
const void* wordOf(const Barrier* barrier, std::uint64_t phase) {
    return reinterpret_cast<const char*>(barrier) + 4 * (phase % 2);
}

bool ended(const void* barrier, std::uint64_t phase) {
    return Parts(*static_cast<const Barrier*>(barrier)).phase != phase;
}

}  // namespace

void startCopy(void* target, const void* source, std::size_t bytes, std::size_t zeros,
               Barrier* barrier) {
    const void* const place = __builtin_return_address(0);
    if (!cusimWorker) {
        std::memcpy(target, source, bytes);
        return;
    }
    Worker& worker = *cusimWorker;
    const auto refuse = [&](const char* what, const char* remedy) {
        worker.runner->fail({"async-copy", what, placeOf(place), remedy});
    };
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes)
        refuse(
            "an asynchronous copy moves 4, 8 or 16 bytes, and cannot set more than these to zero",
            "Copy in pieces of one of these sizes.");
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(target) - worker.threadLocals;
    if (offset >= worker.threadLocalBytes)
        refuse("the target of an asynchronous copy is not in shared memory",
               "Copy into a __shared__ array; copy to other memory with a plain store.");
    const auto from = reinterpret_cast<std::uintptr_t>(source);
    AsyncCopy copy = {
        offset, source, bytes, zeros, instructionOf(place, AccessKind::Store, instructionBase()),
        barrier};
    copy.load = instructionOf(place, AccessKind::Load, instructionBase());
    const std::uint16_t thread = worker.actor.thread;
    worker.notify(&Observer::beginCopy, worker.actor.block, thread, worker.copies.begun(thread));
    worker.copied = copy.before;
    if (zeros < bytes) {
        access(source, bytes - zeros, AccessKind::Load, place);
        worker.warps.noteCopy(thread);
    }
    if (from % bytes != 0) failMisaligned(worker, from, bytes, AccessKind::Load, place);
    if ((worker.threadLocals + offset) % bytes != 0)
        failMisaligned(worker, worker.threadLocals + offset, bytes, AccessKind::Store, place);
    std::memcpy(copy.before, source, bytes - zeros);
    access(target, bytes, AccessKind::Store, place);
    worker.warps.noteCopy(thread);
    worker.notify(&Observer::copyBegun);
    worker.copied = nullptr;
    worker.runs.endRows();  // the checks must see accesses to the target
    worker.copies.start(thread, copy);
}

void commitCopies() {
    if (cusimWorker) cusimWorker->copies.commit(cusimWorker->actor.thread);
}

void waitForCopies(std::size_t prior) {
    if (cusimWorker) land(cusimWorker->copies.finish(cusimWorker->actor.thread, prior));
}

void initBarrier(Barrier* barrier, unsigned count) {
    const void* const place = __builtin_return_address(0);
    if (cusimWorker) {
        const auto address = reinterpret_cast<std::uintptr_t>(barrier);
        if (address - cusimWorker->stackLow < cusimWorker->stackBytes)
            cusimWorker->runner->fail({"unsupported",
                                       "a barrier is declared in a thread's own memory",
                                       placeOf(place), "Declare it with __shared__."});
        access(barrier, sizeof *barrier, AccessKind::Store, place);
        cusimWorker->runner->noteObjectMade();
    }
    Parts parts{Barrier{0}};
    parts.expected = parts.missing = count;
    barrier->word = parts.word();
}

std::uint64_t arriveAt(Barrier* barrier, unsigned count, unsigned dropped, bool waits) {
    const void* const place = __builtin_return_address(0);
    if (!cusimWorker) return 0;
    Worker& worker = *cusimWorker;
    Parts parts(*barrier);
    if (count > parts.missing)
        worker.runner->fail(
            {"barrier-count", "more threads arrive at a barrier than init() allows", placeOf(place),
             "Let one thread call init() with the number of threads that arrive in each phase. Put "
             "a __syncthreads() after init(), before the first thread arrives."});
    const std::uint64_t phase = parts.phase;
    parts.missing -= count;
    parts.expected -= dropped;
    const bool last = parts.missing == 0;
    if (last) {
        parts.missing = parts.expected;
        ++parts.phase;
        land(worker.copies.finishAt(barrier));
    }
    atomicAccess(wordOf(barrier, phase), sizeof *barrier / 2, place, modeOf(false));
    // True only if all threads of the block waited; arriving without waiting is no meeting.
    const bool met = !options().tolerant || (waits && worker.runner->othersWaitFor(barrier, phase));
    if (last && met && parts.expected + dropped == worker.runner->threadsInKernel())
        worker.runner->endEpoch();
    barrier->word = parts.word();
    return phase;
}

void waitAt(const Barrier* barrier, std::uint64_t phase, Where at) {
    if (!cusimWorker) return;
    cusimWorker->runner->waitUntil(&ended, barrier, phase, at);
    atomicAccess(wordOf(barrier, phase), sizeof *barrier / 2, __builtin_return_address(0),
                 modeOf(true));
}

bool hasEnded(const Barrier* barrier, std::uint64_t phase) {
    const bool has = ended(barrier, phase);
    AccessMode mode = modeOf(true);
    mode.acquires = has;
    atomicAccess(wordOf(barrier, phase), sizeof *barrier / 2, __builtin_return_address(0), mode);
    return has;
}

std::uint64_t phaseOf(const Barrier* barrier) {
    const std::uint64_t phase = Parts(*barrier).phase;
    atomicAccess(wordOf(barrier, phase + 1), sizeof *barrier / 2, __builtin_return_address(0),
                 modeOf(true));
    return phase;
}

}  // namespace cusim
