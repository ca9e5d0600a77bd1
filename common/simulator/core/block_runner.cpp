#include "simulator/core/block_runner.h"

#include <algorithm>
#include <cstring>
#include <exception>

#include "simulator/core/unset.h"

// The built-in variables, which device code sees as constants (cusim/builtins.h).
__thread uint3 threadIdx;
__thread uint3 blockIdx;
// Bytes, since a dim3 has a constructor and thread-local storage of C takes none.
__thread uint3 blockDim;
__thread uint3 gridDim;
static_assert(sizeof(dim3) == sizeof(uint3));
extern "C" {
__thread cusim::Worker* cusimWorker = nullptr;
}

namespace cusim {
namespace {

// More barriers than any kernel has that ends.
constexpr std::uint64_t kMostRounds = 200000;

struct KeepStack {
    void deallocate(boost::context::stack_context&) noexcept {}
};

uint3 position(std::uint64_t linear, const dim3& extent) {
    return {static_cast<unsigned>(linear % extent.x),
            static_cast<unsigned>(linear / extent.x % extent.y),
            static_cast<unsigned>(linear / extent.x / extent.y)};
}

bool samePlace(const Where& a, const Where& b) {
    return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

std::string placeText(const Where& at) {
    return std::string(at.file) + ":" + std::to_string(at.line);
}

}  // namespace

bool BlockRunner::run(const LaunchConfig& config, const KernelCall& call, const Schedule& schedule,
                      std::uint64_t linearBlock) {
    call_ = &call;
    linearBlock_ = linearBlock;
    block_ = position(linearBlock, config.grid);
    prepare(config);
    ::blockIdx = block_;
    ::blockDim = {config.block.x, config.block.y, config.block.z};
    ::gridDim = {config.grid.x, config.grid.y, config.grid.z};
    // A signal comes back here from whatever stack it struck; registers are then stale, so that
    // all that matters is in members.
    if (sigsetjmp(escape_, 0) == 0) loop(schedule);
    cusimWorker = nullptr;
    worker_.endEpoch();
    if (worker_.logWarps && !failed_) worker_.warps.endBlock();
    if (failed_) {
        // After a signal the thread still held the way back here, which has been taken already.
        new boost::context::fiber(std::move(scheduler_));
        // A thread in the middle of the kernel cannot be unwound safely: its fiber is left as it
        // is, and its stack is used afresh.
        for (std::uint32_t i = 0; i < count_; ++i)
            if (threads_[i]->state != State::Done) {
                new boost::context::fiber(std::move(threads_[i]->fiber));
                threads_[i]->fresh = true;
                threads_[i]->state = State::Done;
            }
    }
    return !failed_;
}

void BlockRunner::prepare(const LaunchConfig& config) {
    count_ = config.block.x * config.block.y * config.block.z;
    while (threads_.size() < count_) threads_.push_back(std::make_unique<SimulatedThread>());
    for (std::uint32_t i = 0; i < count_; ++i) {
        SimulatedThread& thread = *threads_[i];
        thread.state = State::Ready;
        thread.linear = i;
        thread.index = position(i, config.block);
        thread.barriers = 0;
        thread.warpEpoch = 0;
    }
    // Unset shared memory reads as NaN, not as what another block left there.
    for (const ArraySlot& array : worker_.shared)
        fillUnset(reinterpret_cast<void*>(worker_.threadLocals + array.start), array.bytes);
    worker_.unset.beginBlock();
    worker_.logWarps = worker_.warpStride > 0 && linearBlock_ % worker_.warpStride == 0;
    if (worker_.logWarps) worker_.warps.beginBlock(count_);
    worker_.actor.block = static_cast<std::uint32_t>(linearBlock_);
    worker_.actor.epoch = worker_.nextEpoch++;
    failed_ = false;
    phase_ = 0;
    mostBarriers_ = 0;
}

void BlockRunner::loop(const Schedule& schedule) {
    std::vector<std::uint32_t> order = schedule.permutation(count_, linearBlock_ << 16);
    for (std::uint64_t rounds = 0;;) {
        bool progress = false;
        for (const std::uint32_t i : order) {
            SimulatedThread& thread = *threads_[i];
            if (thread.state != State::Ready) continue;
            progress = true;
            resume(thread);
            if (failed_) return;
            if (worker_.logWarps) endStretchOfWarp(i / 32);
        }
        if (++rounds > kMostRounds) {
            failure_ = endless();
            failed_ = true;
            return;
        }
        if (progress || releaseWarps()) continue;

        const SimulatedThread* waiting = nullptr;
        bool mixed = false;
        for (std::uint32_t i = 0; i < count_; ++i) {
            const SimulatedThread& thread = *threads_[i];
            if (thread.state == State::Done) continue;
            if (!waiting) waiting = &thread;
            mixed |=
                thread.state == State::AtWarp || !samePlace(thread.waitingAt, waiting->waitingAt);
        }
        if (!waiting) return;
        if (mixed) {
            failure_ = deadlock();
            failed_ = true;
            return;
        }
        const auto known = [&](const Where& at) { return samePlace(at, waiting->waitingAt); };
        if (std::none_of(barrierSites_.begin(), barrierSites_.end(), known))
            barrierSites_.push_back(waiting->waitingAt);
        releaseBarrier();
        if (schedule.order == Schedule::Random)
            order = schedule.permutation(count_, (linearBlock_ << 16) + phase_);
    }
}

// Once the last lane of a warp has stopped at a barrier or returned.
void BlockRunner::endStretchOfWarp(std::uint32_t warp) {
    const std::uint32_t first = warp * 32, end = std::min(first + 32, count_);
    std::uint32_t left = 0;
    for (std::uint32_t i = first; i < end; ++i) {
        const State state = threads_[i]->state;
        if (state == State::Ready || state == State::AtWarp) return;
        if (state != State::Done) left |= 1u << (i - first);
    }
    worker_.warps.endOfStretch(warp, left);
}

void BlockRunner::resume(SimulatedThread& thread) {
    if (thread.fresh) makeFiber(thread);
    const StackPool::Stack& stack = stacks_.at(thread.linear);
    worker_.stackLow = stack.low;
    worker_.stackBytes = stack.top - stack.low;
    ::threadIdx = thread.index;
    worker_.actor.thread = static_cast<std::uint16_t>(thread.linear);
    worker_.actor.warpEpoch = thread.warpEpoch;
    current_ = &thread;
    // Only this host thread writes it, so that no locked instruction is needed.
    worker_.turn.store(worker_.turn.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    cusimWorker = &worker_;
    thread.fiber = std::move(thread.fiber).resume();
    cusimWorker = nullptr;
}

void BlockRunner::makeFiber(SimulatedThread& thread) {
    const StackPool::Stack& stack = stacks_.at(thread.linear);
    boost::context::stack_context context;
    context.sp = reinterpret_cast<void*>(stack.top);
    context.size = stack.top - stack.low;
    const boost::context::preallocated place(context.sp, context.size, context);
    thread.fresh = false;
    // One fiber serves this thread of block after block.
    thread.fiber = boost::context::fiber(
        std::allocator_arg, place, KeepStack{},
        [this, &thread](boost::context::fiber&& scheduler) -> boost::context::fiber {
            scheduler_ = std::move(scheduler);
            for (;;) {
                // The exception is gone before the thread is left for good.
                std::string thrown;
                try {
                    call_->invoke(call_->arguments);
                } catch (const boost::context::detail::forced_unwind&) {
                    throw;
                } catch (const std::exception& error) {
                    thrown = std::string("the kernel threw an exception: ") + error.what();
                } catch (...) {
                    thrown = "the kernel threw an exception";
                }
                if (!thrown.empty())
                    fail({"exception",
                          thrown,
                          call_->at.file,
                          call_->at.line,
                          "",
                          true,
                          {},
                          {},
                          {},
                          "Device code has no exceptions; take the throw out of the kernel."});
                mostBarriers_ = std::max(mostBarriers_, thread.barriers);
                thread.state = State::Done;
                leave();
            }
        });
}

void BlockRunner::leave() {
    cusimWorker = nullptr;
    scheduler_ = std::move(scheduler_).resume();
}

unsigned BlockRunner::barrier(const Where& at, int predicate) {
    SimulatedThread& self = *current_;
    self.state = State::AtBarrier;
    self.waitingAt = at;
    self.predicate = predicate != 0;
    ++self.barriers;
    ++worker_.barriers;
    leave();
    return predicatesTrue_;
}

void BlockRunner::releaseBarrier() {
    predicatesTrue_ = predicatesSeen_ = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
        SimulatedThread& thread = *threads_[i];
        if (thread.state != State::AtBarrier) continue;
        predicatesTrue_ += static_cast<unsigned>(thread.predicate);
        ++predicatesSeen_;
        thread.state = State::Ready;
    }
    ++phase_;
    worker_.endEpoch();
}

unsigned BlockRunner::activeLanes() const { return lanesInKernel(current_->linear / 32 * 32); }

unsigned BlockRunner::lanesInKernel(std::uint32_t first) const {
    unsigned lanes = 0;
    for (std::uint32_t i = first; i < std::min(first + 32, count_); ++i)
        if (threads_[i]->state != State::Done) lanes |= 1u << (i - first);
    return lanes;
}

const WarpValues& BlockRunner::exchange(unsigned mask, std::uint64_t value, const Where& at,
                                        bool orders) {
    SimulatedThread& self = *current_;
    if (!(mask >> lane() & 1)) {
        fail({"warp-mask",
              "a lane calls a warp function whose mask leaves it out",
              at.file,
              at.line,
              "",
              true,
              {},
              {},
              {"lane " + std::to_string(lane()) + " is not in the mask that it passes"},
              "Pass a mask that names every lane which reaches the call."});
    }
    self.state = State::AtWarp;
    self.waitingAt = at;
    self.mask = mask;
    self.given = value;
    self.orders = orders;
    completeWarp(self);
    if (self.state == State::AtWarp) leave();
    // The lane may have gone on without giving up its turn.
    worker_.actor.warpEpoch = self.warpEpoch;
    return *self.received;
}

// Lets the lanes of a warp go on when the last of them has come to the call.
void BlockRunner::completeWarp(SimulatedThread& thread) {
    const std::uint32_t first = thread.linear / 32 * 32;
    const unsigned wanted = thread.mask & lanesInKernel(first);
    WarpValues all{};
    for (std::uint32_t l = 0; l < 32; ++l) {
        if (!(wanted >> l & 1)) continue;
        const SimulatedThread& other = *threads_[first + l];
        if (other.state != State::AtWarp || other.mask != thread.mask ||
            !samePlace(other.waitingAt, thread.waitingAt))
            return;
        all.value[l] = other.given;
    }
    all.active = wanted;
    for (std::uint32_t l = 0; l < 32; ++l) {
        if (!(wanted >> l & 1)) continue;
        SimulatedThread& lane = *threads_[first + l];
        if (!lane.received) lane.received = std::make_unique<WarpValues>();
        *lane.received = all;
        if (thread.orders) ++lane.warpEpoch;
        lane.state = State::Ready;
    }
}

Finding BlockRunner::endless() const {
    const SimulatedThread* waiting = threads_[0].get();
    for (std::uint32_t i = 0; i < count_ && waiting->state == State::Done; ++i)
        waiting = threads_[i].get();
    Finding finding;
    finding.kind = "endless-kernel";
    finding.title = "the kernel does not come to an end: it passed a barrier " +
                    std::to_string(kMostRounds) + " times";
    finding.file = waiting->waitingAt.file;
    finding.line = waiting->waitingAt.line;
    finding.remedy = "Check the condition of the loop around this line.";
    describe(finding);
    return finding;
}

// Lanes that returned may be the ones that a warp was waiting for.
bool BlockRunner::releaseWarps() {
    bool released = false;
    for (std::uint32_t i = 0; i < count_; ++i) {
        if (threads_[i]->state != State::AtWarp) continue;
        completeWarp(*threads_[i]);
        released |= threads_[i]->state == State::Ready;
    }
    return released;
}

Finding BlockRunner::deadlock() const {
    // One line a place at which threads wait, with how many and the first of them.
    struct Group {
        Where at;
        const SimulatedThread* first;
        std::uint32_t threads = 0;
        bool warp;
    };
    std::vector<Group> groups;
    std::uint32_t returned = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
        const SimulatedThread& thread = *threads_[i];
        if (thread.state == State::Done) {
            ++returned;
            continue;
        }
        auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
            return samePlace(g.at, thread.waitingAt);
        });
        if (found == groups.end())
            found = groups.insert(groups.end(),
                                  {thread.waitingAt, &thread, 0, thread.state == State::AtWarp});
        ++found->threads;
    }
    Finding finding;
    finding.kind = "barrier-divergence";
    finding.title = groups.size() > 1 ? "threads of one block wait at different barriers for ever"
                                      : "a warp function waits for lanes that never come";
    finding.file = groups.front().at.file;
    finding.line = groups.front().at.line;
    for (const Group& group : groups)
        finding.details.push_back(std::to_string(group.threads) +
                                  (group.threads == 1 ? " thread waits" : " threads wait") +
                                  " at " + placeText(group.at) + ", the first is thread (" +
                                  std::to_string(group.first->index.x) + "," +
                                  std::to_string(group.first->index.y) + "," +
                                  std::to_string(group.first->index.z) + ")");
    if (returned > 0)
        finding.details.push_back(std::to_string(returned) + " threads have returned already");
    finding.remedy =
        "Every thread of a block must reach the same __syncthreads(): take it out of the branch.";
    describe(finding);
    finding.inThread = false;
    return finding;
}

void BlockRunner::describe(Finding& finding) const {
    finding.kernel = call_->name;
    if (finding.file.empty()) {
        // No line is known, as after a call through a wild function pointer: the launch is.
        finding.file = call_->at.file;
        finding.line = call_->at.line;
    }
    finding.block = block_;
    if (current_) finding.thread = current_->index;
}

void BlockRunner::fail(Finding finding) {
    finding.inThread = true;
    describe(finding);
    failure_ = std::move(finding);
    failed_ = true;
    for (;;) leave();  // the scheduler does not come back
}

void BlockRunner::failFromSignal(Finding finding) {
    finding.inThread = true;
    describe(finding);
    failure_ = std::move(finding);
    failed_ = true;
    siglongjmp(escape_, 1);
}

bool BlockRunner::inGuardPage(std::uintptr_t address) const {
    return worker_.stackLow - address <= StackPool::kGuardBytes + 65536 &&
           address < worker_.stackLow;
}

}  // namespace cusim
