// Runs the threads of one block in turn on one host thread. Each simulated thread is a fiber. A
// barrier gives up the thread's turn, and is passed once all threads have come to it.
#pragma once

#include <setjmp.h>

#include <array>
#include <boost/context/fiber.hpp>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "simulator/engine/worker.h"
#include "simulator/findings/finding.h"
#include "simulator/include/cusim/launch.h"
#include "simulator/include/cusim/warp.h"
#include "simulator/memory/stack_pool.h"

namespace cusim {

// The order in which the threads of a block, and the blocks of a grid, take their turns.
struct Schedule {
    enum Order { Forward, Reverse, Random } order = Forward;
    std::uint64_t seed = 0;
    bool opposite = false;  // reverses the order of `order` and `seed`
    // Reads "forward", "reverse" or "random:SEED". Returns false for anything else.
    static bool parse(const std::string& text, Schedule& schedule);
    std::vector<std::uint32_t> permutation(std::uint32_t count, std::uint64_t salt) const;
};

// A barrier that a block passed after some of its threads had returned.
struct SkippedBarrier {
    Where at;
    std::uint64_t count = 0;  // passes, over all blocks
    std::uint64_t block = 0;  // the first such block, and below its first thread that had returned
    std::uint32_t thread = 0;
};

// Two barriers at which the threads of a block have met, some at each barrier.
struct SplitBarrier {
    Where at, other;
    std::uint64_t count = 0;  // times, over all blocks
    std::uint32_t block = 0;  // the first such block
};

class BlockRunner {
  public:
    // `amongMany` is true for a runner that keeps its block while others run on the same host
    // thread (see cooperative_grid.h).
    explicit BlockRunner(Worker& worker, bool amongMany = false)
        : worker_(worker), stacks_(amongMany), amongMany_(amongMany) {}
    ~BlockRunner();
    BlockRunner(const BlockRunner&) = delete;
    BlockRunner& operator=(const BlockRunner&) = delete;

    // Runs one block. Returns false after a failure, which failure() then holds.
    bool run(const LaunchConfig& config, const KernelCall& call, const Schedule& schedule,
             std::uint64_t linearBlock) {
        begin(config, call, schedule, linearBlock);
        return resume();
    }
    // Do the same in two steps. resume() also returns if all threads wait for the other blocks of
    // the grid; called again, it passes that barrier.
    void begin(const LaunchConfig& config, const KernelCall& call, const Schedule& schedule,
               std::uint64_t linearBlock);
    bool resume();
    bool waitsForGrid() const { return waitsForGrid_; }
    // Tests whether all threads of the block wait for values that none of them stores. With
    // `amongMany`, resume() returns then, and moved() returns whether it has done anything else.
    bool waitsInVain() const { return waitsInVain_; }
    bool moved() const { return moved_; }
    Finding endlessWait() const;
    // Describes a block that waits for the grid in vain.
    Finding lostInGrid() const;
    // Adds the barriers that another runner has noted.
    void addBarriers(const BlockRunner& other);
    const Finding& failure() const { return failure_; }
    std::string takeOutput() { return std::move(output_); }
    // Returns the barriers of this launch that were passed by all threads still running.
    const std::vector<Where>& barrierSites() const { return barrierSites_; }
    const std::vector<SkippedBarrier>& skippedBarriers() const { return skipped_; }
    const std::vector<SplitBarrier>& splitBarriers() const { return split_; }
    // `ofLimit` is the part of the limits in Options that the kernel may use (see watchdog.h).
    void beginLaunch(double ofLimit) {
        ofLimit_ = ofLimit;
        barrierSites_.clear();
        skipped_.clear();
        split_.clear();
        firstBlock_ = true;
    }
    std::uint64_t mostBarriers() const { return mostBarriers_; }

    // Called by the simulated thread that runs now.
    unsigned barrier(const Where& at, int predicate);  // returns the number of true predicates
    bool barrierAll() const { return predicatesTrue_ == predicatesSeen_; }
    // `orders` is true for __syncwarp, which orders memory accesses; shuffles and votes do not.
    // `isWhole` is true for a function without a mask, which all 32 lanes must call.
    const WarpValues& exchange(unsigned mask, std::uint64_t value, const Where& at, bool orders,
                               bool isWhole = false);
    unsigned lane() const { return current_->linear % 32; }
    // Notes an atomic or volatile access. Ends the turn if the thread repeats the same one many
    // times: it may wait for a value that another thread stores.
    void poll(const void* address, const void* place) {
        SimulatedThread& self = *current_;
        if (self.polled != address) self.polls = 0;
        self.polled = address;
        if (++self.polls == kPollsATurn) spin(place);
    }
    void fence(Scope scope);
    // Waits until no other thread of the block can run; returns the lanes of the warp that wait at
    // the same call: those that a card would run together.
    unsigned converged(const Where& at);
    void waitForGrid(const Where& at);
    // Waits until `ready(object, seen)` returns true.
    using IsReady = bool (*)(const void* object, std::uint64_t seen);
    void waitUntil(IsReady ready, const void* object, std::uint64_t seen, const Where& at);
    bool othersWaitFor(const void* object, std::uint64_t seen) const;
    // Notes that a thread makes a barrier object. The block's next barrier counts as part of that.
    void noteObjectMade() { objectMade_ = objectMade_ == Made::None ? Made::Now : objectMade_; }
    unsigned threadsInKernel() const { return count_ - done_; }
    // Ends the epoch: all threads of the block have met.
    void endEpoch();
    bool amongMany() const { return amongMany_; }
    void print(const std::string& text) { output_ += text; }
    // Ends the block with a finding, to which it adds kernel, block and thread.
    [[noreturn]] void fail(Finding finding);
    // The same from a signal handler, whose stack only a long jump can leave.
    [[noreturn]] void failFromSignal(Finding finding);
    bool inGuardPage(std::uintptr_t address) const;
    const KernelCall& call() const { return *call_; }

  private:
    static constexpr unsigned kPollsATurn = 64;
    // A loop that gives up after so many accesses ends by itself.
    static constexpr std::uint32_t kRoundsInVain = 4000;

    enum class State : std::uint8_t {
        Ready,
        AtBarrier,
        AtGrid,
        AtWarp,
        AtObject,
        Converging,
        Done
    };
    static constexpr std::size_t kStates = 7;
    // What each turn needs comes first, in one line of the cache.
    struct alignas(64) SimulatedThread {
        boost::context::fiber fiber;
        StackPool::Stack stack{};
        std::uint64_t barriers = 0;
        uint3 index{};
        std::uint32_t linear = 0;
        int predicate = 0;
        std::uint16_t warpEpoch = 0;
        State state = State::Done;
        bool fresh = true;  // the fiber must be made (again)
        bool orders = false, isWhole = false;
        Where waitingAt{};
        unsigned mask = 0;
        std::uint64_t given = 0;
        const void* polled = nullptr;  // the address of the last atomic or volatile access
        unsigned polls = 0;            // such accesses to it in succession
        IsReady ready = nullptr;       // of the object for which the thread waits
        const void* object = nullptr;
        std::uint64_t seen = 0;
        std::unique_ptr<WarpValues> received;  // made at the first warp function
    };

    void prepare(const LaunchConfig& config);
    void chooseClear();
    // The threads that have not ended, when none can run.
    struct Waiters {
        const SimulatedThread* first = nullptr;
        bool mixed = false, split = false;  // they wait for different things; at different places
        std::array<std::uint32_t, kStates> in{};  // threads in each state, also those that ended
    };
    Waiters waiters() const;
    bool runReady();
    bool releaseWaiters();
    void end(Finding finding);
    void loop();
    SimulatedThread* nextReady();
    void prepareTurn(SimulatedThread& thread);
    void switchTo(boost::context::fiber& target, boost::context::fiber& self);
    void yield();
    void endEpochOfWarp(std::uint32_t warp);
    void makeFiber(SimulatedThread& thread);
    void noteBarrier(const Where& at, std::uint32_t done);
    void spin(const void* place);
    bool spunInVain();
    void noteSplit();
    void releaseBarrier();
    void passBarrier(const Where& at, std::uint32_t done);
    void completeWarp(SimulatedThread& thread);
    bool releaseWarps();
    bool releaseConverging();
    bool releaseWaiting();
    void noteSkipped(const SkippedBarrier& one);
    unsigned lanesInKernel(std::uint32_t first) const;
    void describe(Finding& finding) const;
    // Notifies the observers of what the running thread does.
    void notify(ThreadStep what, const Where& at = {});
    void keepFailure(Finding finding);
    Finding deadlock() const;
    std::uint64_t mostRounds() const;
    bool tooManyRounds();
    Finding endless() const;

    Worker& worker_;
    StackPool stacks_;
    bool amongMany_ = false;
    bool waitsForGrid_ = false, waitsInVain_ = false, moved_ = false;
    Schedule schedule_;
    LaunchConfig config_;
    bool firstBlock_ = true;  // no block of the launch has begun yet
    std::size_t clear_ = 0;   // bytes of each stack to clear before the kernel begins
    std::size_t mostUsed_ = std::size_t{4} * 1024;  // most bytes of a stack that a launch has used
    std::vector<std::unique_ptr<SimulatedThread>> threads_;
    std::vector<std::uint32_t> order_;  // the threads' turns; turn_ is the next one
    std::uint32_t turn_ = 0;
    SimulatedThread* current_ = nullptr;
    boost::context::fiber scheduler_;
    boost::context::fiber* left_ = nullptr;  // the variable for the fiber that switchTo() left
    const KernelCall* call_ = nullptr;
    std::uint32_t count_ = 0;
    std::uint64_t linearBlock_ = 0;
    uint3 block_{};
    std::uint64_t phase_ = 0;
    enum class Made { None, Now, Before } objectMade_ = Made::None;
    double ofLimit_ = 1;
    std::uint64_t rounds_ = 0;    // in each, every thread runs up to a barrier or its end
    double secondsAtHalf_ = 0.0;  // processor time when half of the allowed rounds were used
    // For this phase: threads at a barrier, threads that have returned, and whether some wait at
    // another barrier than the first one.
    std::uint32_t arrived_ = 0, done_ = 0;
    bool arrivedApart_ = false;
    Where arrivedAt_{};
    std::uint32_t doneBefore_ = 0;  // threads that had returned when the phase began
    unsigned predicatesTrue_ = 0, predicatesSeen_ = 0;
    std::uint64_t mostBarriers_ = 0;
    std::vector<Where> barrierSites_;
    std::vector<SkippedBarrier> skipped_;
    std::vector<SplitBarrier> split_;
    // Turns of a round; those that ended in spin(); rounds in succession with no other turns.
    std::uint32_t turns_ = 0, spins_ = 0, roundsInVain_ = 0;
    const void *spunAt_ = nullptr, *spunOn_ = nullptr;  // the instruction and the address
    bool failed_ = false;
    Finding failure_;
    std::string output_;
    sigjmp_buf escape_{};
};

}  // namespace cusim
