// An observer sees each access and barrier of a launch: a class in a file of this folder, which
// overrides the calls that it needs and does not depend on other observers. `Trace`, `Recording`
// and `HappensBefore` are observers. api/launch_run.cpp chooses those of a launch
// (Worker::observers); each host thread has its own, so no call needs a lock.
//
// These checks see almost every launch, so hooks/hooks.cpp calls them inline, in this order:
// AccessCount, ElementCounters, UnsetReads, AsyncCopies, Races, Warps. They do not see one by one
// the accesses that Runs predicts; a launch with observers has no Runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/include/cusim/where.h"
#include "simulator/memory/access.h"

namespace cusim {

// An access by a thread, before it is made.
struct SeenAccess {
    Actor actor = {};
    AccessMode mode = {};
    Instruction instruction = 0;  // includes load, store or atomic, and the line
    std::uint32_t array = 0;      // shared array or allocation
    bool shared = false;
    std::uintptr_t start = 0;      // address of the array
    std::size_t offset = 0;        // in bytes, from there
    std::size_t bytes = 0;         // of the access; the type of the element is not known
    std::uint64_t inBlock = 0;     // for a shared array: bytes from the start of all of them
    const void* copied = nullptr;  // the bytes of an asynchronous copy that begins; else null
    std::uintptr_t framesEnd = 0;

    std::uintptr_t address() const { return start + offset; }
    // The bytes as they are before the access.
    const void* data() const { return reinterpret_cast<const void*>(address()); }
    // Returns a number for the first byte: the address, or for shared memory, which has the same
    // addresses in all blocks, a number that differs per block.
    std::uint64_t key() const {
        const std::uint64_t block = actor.block;
        return shared ? (block << 24 | std::uint64_t{1} << 63) + inBlock : address();
    }
    bool reads() const { return kindOf(instruction) != AccessKind::Store && mode.reads; }
    bool writes() const { return kindOf(instruction) != AccessKind::Load && mode.writes; }
    bool isAtomic() const { return kindOf(instruction) == AccessKind::Atomic; }
    bool isStrong() const { return isAtomic() || mode.isVolatile; }
};

// An access that ends the launch; its array may be unknown.
struct FailingAccess {
    const void* place;    // return address
    std::int64_t offset;  // in bytes, from the array's start
    std::size_t bytes;
    std::uint32_t array;
    bool shared, placed;  // placed: the array is known
};

// A thread's step other than an access.
enum class ThreadStep : std::uint8_t { Barrier, Returned, Failed };

class Observer {
  public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    virtual void beginBlock(std::uint32_t /*threads*/) {}
    virtual void access(const SeenAccess&) {}
    virtual void failing(const FailingAccess&) {}
    // `at` is the line of a barrier.
    virtual void step(const Actor&, ThreadStep, const Where& /*at*/, std::uintptr_t /*framesEnd*/) {
    }
    // The thread's last store has been made, and another thread may run.
    virtual void leave() {}
    virtual void fence(std::uint32_t /*block*/, std::uint16_t /*thread*/, Scope) {}
    // All threads of a block have met: at a barrier, or at another object that orders them.
    virtual void meet(std::uint32_t /*block*/, bool /*atBarrier*/) {}
    // The lanes of `lanes` have met in the warp that begins with thread `first`.
    virtual void syncWarp(std::uint32_t /*block*/, std::uint32_t /*first*/, unsigned /*lanes*/) {}
    // All threads of the grid have met.
    virtual void syncGrid() {}
    // A thread begins its copy `number`; the accesses of the copy have been seen.
    virtual void beginCopy(std::uint32_t /*block*/, std::uint16_t /*thread*/,
                           std::uint32_t /*number*/) {}
    virtual void copyBegun() {}
    // A thread has waited for the copy that thread `copying` has begun.
    virtual void waitForCopy(std::uint32_t /*block*/, std::uint16_t /*thread*/,
                             std::uint16_t /*copying*/, std::uint32_t /*number*/) {}
};

}  // namespace cusim
