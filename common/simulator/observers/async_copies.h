// Asynchronous copies from global to shared memory (cp.async). The bytes land when the thread that
// began the copy waits for it. Until then no thread may use the target, not even that thread. Finds
// threads that do. An access by another thread between the wait and a barrier is an ordinary race.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "simulator/memory/access.h"
#include "simulator/simulator.h"

namespace cusim {

struct AsyncCopy {
    std::size_t target;  // offset into the thread-local block
    const void* source;
    std::size_t bytes, zeros;  // the last `zeros` of the bytes are not read, but set to 0
    Instruction instruction;   // a store
    const void* barrier;       // it lands at the next phase of this; null: at the thread's wait
    Instruction load = 0;      // of the source
    unsigned char before[16] = {};  // what the source held when the copy began
    std::uint16_t thread = 0;
    std::uint32_t number = 0;  // among the thread's copies
    std::uint64_t group = 0;   // by number, as the thread commits them
    std::uint64_t loads = 0;   // of the thread, before the copy began
};

// An access to what a copy under way will overwrite.
struct EarlyUse {
    std::uint32_t array = 0;
    Instruction copy = 0, access = 0;
    bool ownCopy = false;
    bool operator<(const EarlyUse& other) const {
        return std::tie(array, copy, access, ownCopy) <
               std::tie(other.array, other.copy, other.access, other.ownCopy);
    }
};
struct EarlyUseExample {
    std::uint64_t count = 0;
    std::uint32_t block = 0;
    std::size_t offset = 0;  // into the array
    std::uint32_t thread = 0, copier = 0;
};

class AsyncCopies {
    struct Word {
        Instruction copy;
        std::uint16_t copies;  // under way into this word
        std::uint16_t thread;
    };
    struct Thread {
        std::deque<AsyncCopy> copies;
        std::uint64_t group = 0;  // the number of the group that is not yet committed
        std::uint32_t begun = 0;
        std::uint64_t loads = 0;  // of shared memory, while any thread's copies are under way
    };

  public:
    // The copies of one block. Blocks that run side by side keep theirs while another one runs.
    struct Block {
        std::vector<Word> words;  // of the thread-local block; empty until a kernel copies
        std::vector<Thread> threads;
        std::vector<AsyncCopy> ofBarriers;
        std::size_t underWay = 0;
    };
    Block keep() { return std::exchange(block_, {}); }
    void restore(Block kept) { block_ = std::move(kept); }

    void begin() {
        found_.clear();
        count_ = {};
    }
    void beginBlock(std::size_t threads, std::size_t threadLocalBytes);

    // Tests whether any copy is under way. Hot.
    bool any() const { return block_.underWay > 0; }
    // Returns how many copies the thread has begun: the next one's number.
    std::uint32_t begun(std::uint16_t thread) { return of(thread).begun; }
    void start(std::uint16_t thread, AsyncCopy copy);
    void commit(std::uint16_t thread) { ++of(thread).group; }
    // Ends the copies of all groups of the thread but the newest `prior`, and returns them.
    std::vector<AsyncCopy> finish(std::uint16_t thread, std::size_t prior);

    // Ends the copies of a barrier's phase, and returns them.
    std::vector<AsyncCopy> finishAt(const void* barrier);

    template <class Visit>
    void each(Visit visit) const {
        for (const Thread& thread : block_.threads)
            for (const AsyncCopy& copy : thread.copies) visit(copy);
        for (const AsyncCopy& copy : block_.ofBarriers) visit(copy);
    }

    void countLoad(std::uint16_t thread) { ++of(thread).loads; }
    const AsyncReport& count() const { return count_; }

    // Notes an access to a part of an array. Returns true if a copy into it is under way.
    bool onAccess(std::size_t offset, std::size_t bytes, std::uint32_t array,
                  std::size_t arrayStart, Instruction instruction, const Actor& actor);
    const std::map<EarlyUse, EarlyUseExample>& found() const { return found_; }

  private:
    void land(const AsyncCopy& copy);
    // Makes room if no thread up to this one has begun or committed a copy.
    Thread& of(std::uint16_t thread);

    Block block_;
    std::size_t threadLocalBytes_ = 0;
    AsyncReport count_;
    std::map<EarlyUse, EarlyUseExample> found_;
};

}  // namespace cusim
