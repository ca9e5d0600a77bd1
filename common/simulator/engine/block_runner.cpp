#include "simulator/engine/block_runner.h"

#include <algorithm>
#include <array>
#include <exception>

#include "simulator/engine/copied_sources.h"
#include "simulator/findings/coordinates.h"
#include "simulator/memory/unset.h"
#include "simulator/simulator.h"

// The built-in variables, which device code sees as constants (cusim/builtins.h); threadIdx is in
// turns.cpp.
__thread uint3 blockIdx;
// uint3 and not dim3, because thread-local variables of this kind allow no constructor.
__thread uint3 blockDim;
__thread uint3 gridDim;
static_assert(sizeof(dim3) == sizeof(uint3));
extern "C" {
__thread cusim::Worker* cusimWorker = nullptr;
__thread cusim::AccessSite* cusimSites = cusim::unusedSites;
}

namespace cusim {
namespace {

struct KeepStack {
    void deallocate(boost::context::stack_context&) noexcept {}
};

// Calls the kernel. A kernel may overwrite the registers that its functions have saved; those that
// this function saves lie where the kernel cannot store.
__attribute__((noinline)) void callKernel(const KernelCall& call, Worker& worker) {
    constexpr std::size_t kSaved = 128;  // bytes, at most
    const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    worker.stackAbove = worker.stackLow + worker.stackBytes - frame + kSaved;
    call.invoke(call.arguments);
#if defined(__x86_64__)
    __asm__ volatile("" ::: "rbx", "r12", "r13", "r14", "r15");
#else
    __asm__ volatile("" ::
                         : "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
                           "d8", "d9", "d10", "d11", "d12", "d13", "d14", "d15");
#endif
}

}  // namespace

void BlockRunner::begin(const LaunchConfig& config, const KernelCall& call,
                        const Schedule& schedule, std::uint64_t linearBlock) {
    call_ = &call;
    config_ = config;
    schedule_ = schedule;
    linearBlock_ = linearBlock;
    block_ = position(linearBlock, config.grid);
    waitsForGrid_ = waitsInVain_ = false;
    prepare(config);
    order_ = schedule.permutation(count_, linearBlock_ << 16);
}

bool BlockRunner::resume() {
    worker_.actor.block = static_cast<std::uint32_t>(linearBlock_);
    for (ArraySlot& array : worker_.shared) array.allSet = false;
    ::blockIdx = block_;
    ::blockDim = {config_.block.x, config_.block.y, config_.block.z};
    ::gridDim = {config_.grid.x, config_.grid.y, config_.grid.z};
    // A signal handler jumps back here from any stack. Registers are stale then, so everything that
    // matters is in members.
    if (sigsetjmp(escape_, 0) == 0) loop();
    cusimWorker = nullptr;
    cusimSites = unusedSites;
    // A wait for values of other blocks ends no epoch; they may read what this one has stored.
    if (waitsInVain_ && !failed_) {
        worker_.runs.endRows();
        return true;
    }
    worker_.endEpoch();
    if (waitsForGrid_ && !failed_) return true;
    if (worker_.logWarps && !failed_) worker_.warps.endBlock();
    if (worker_.copies.any()) checkSources(worker_);
    worker_.copied = nullptr;
    if (failed_) {
        // After a signal scheduler_ still returns to here, which the jump has already done. It is
        // leaked, because its destructor would unwind this very stack.
        new boost::context::fiber(std::move(scheduler_));
        // A thread in the middle of a kernel cannot be unwound safely. Its fiber is leaked, and its
        // stack is reused.
        for (std::uint32_t i = 0; i < count_; ++i)
            if (threads_[i]->state != State::Done) {
                new boost::context::fiber(std::move(threads_[i]->fiber));
                threads_[i]->fresh = true;
                threads_[i]->state = State::Done;
            }
    }
    return !failed_;
}

// Chooses how much of each stack to clear before the next block, so that a kernel finds its unset
// local variables the same on every run. Earlier kernels had frames of other sizes, so the first
// block clears the most; all blocks of one kernel use their stacks alike.
void BlockRunner::chooseClear() {
    const std::size_t used = std::min(worker_.stackUsed, StackPool::kClearedBytes);
    mostUsed_ = std::max(mostUsed_, used);
    clear_ = firstBlock_ ? mostUsed_ : used;
    if (firstBlock_) worker_.stackUsed = 0;
    firstBlock_ = false;
}

// Threads that have returned wait in their fibers for another block. The fibers are leaked, because
// ending them would unwind each stack; the pool frees the stacks.
BlockRunner::~BlockRunner() {
    for (const auto& thread : threads_)
        if (!thread->fresh) new boost::context::fiber(std::move(thread->fiber));
}

void BlockRunner::prepare(const LaunchConfig& config) {
    chooseClear();
    count_ = config.block.x * config.block.y * config.block.z;
    while (threads_.size() < count_) threads_.push_back(std::make_unique<SimulatedThread>());
    for (std::uint32_t i = 0; i < count_; ++i) {
        SimulatedThread& thread = *threads_[i];
        thread.state = State::Ready;
        thread.linear = i;
        thread.index = position(i, config.block);
        thread.barriers = 0;
        thread.warpEpoch = 0;
        thread.polled = nullptr;
    }
    // Makes unset shared memory read as NaN instead of the last block's values.
    for (const ArraySlot& array : worker_.shared)
        fillUnset(reinterpret_cast<void*>(worker_.threadLocals + array.start), array.bytes);
    worker_.unset.beginBlock();
    worker_.copies.beginBlock(count_, worker_.threadLocalBytes);
    worker_.logWarps =
        std::binary_search(worker_.warpBlocks.begin(), worker_.warpBlocks.end(), linearBlock_);
    if (worker_.logWarps) worker_.warps.beginBlock(count_);
    worker_.notify(&Observer::beginBlock, count_);
    worker_.actor.epoch = worker_.nextEpoch++;
    failed_ = false;
    arrived_ = done_ = doneBefore_ = 0;
    arrivedApart_ = false;
    phase_ = 0;
    objectMade_ = Made::None;
    rounds_ = 0;
    turns_ = spins_ = roundsInVain_ = 0;
    mostBarriers_ = 0;
}

// Gives each thread that can run a turn. Returns whether there was one.
bool BlockRunner::runReady() {
    bool any = false;
    turn_ = 0;
    while (SimulatedThread* const thread = nextReady()) {
        any = true;
        prepareTurn(*thread);
        cusimWorker = &worker_;
        switchTo(thread->fiber, scheduler_);
        cusimWorker = nullptr;
        cusimSites = unusedSites;
        if (failed_) break;
    }
    return any;
}

void BlockRunner::loop() {
    if (waitsForGrid_) releaseBarrier();
    waitsForGrid_ = waitsInVain_ = moved_ = false;
    for (;;) {
        const bool progress = runReady();
        if (failed_) return;
        if (tooManyRounds()) return end(endless());
        if (spunInVain()) return;
        if (progress) continue;
        if (arrived_ > 0 && arrived_ + done_ == count_ && !arrivedApart_)
            passBarrier(arrivedAt_, done_);
        else if (!releaseWaiters())
            return;
    }
}

void BlockRunner::end(Finding finding) {
    failure_ = std::move(finding);
    failed_ = true;
}

// Reads all threads only once, because they do not fit into the fastest cache.
BlockRunner::Waiters BlockRunner::waiters() const {
    Waiters all;
    for (std::uint32_t i = 0; i < count_; ++i) {
        const SimulatedThread& thread = *threads_[i];
        ++all.in[static_cast<std::size_t>(thread.state)];
        if (thread.state == State::Done) continue;
        if (!all.first) all.first = &thread;
        all.mixed |= thread.state != all.first->state ||
                     (thread.state != State::AtBarrier && thread.state != State::AtGrid);
        all.split |= !(thread.waitingAt == all.first->waitingAt);
    }
    return all;
}

// Releases threads that wait for each other once no other thread can run. Returns false if all have
// ended, wait for other blocks, or wait for ever.
bool BlockRunner::releaseWaiters() {
    const Waiters all = waiters();
    const auto any = [&](State state) { return all.in[static_cast<std::size_t>(state)] > 0; };
    if ((any(State::AtObject) && releaseWaiting()) || (any(State::AtWarp) && releaseWarps()) ||
        (any(State::Converging) && releaseConverging()))
        return true;
    if (!all.first) return false;
    // Since compute capability 7.0 a barrier counts threads, at whatever line each of them waits.
    if (all.split && !all.mixed && options().tolerant) noteSplit();
    if (all.mixed || (all.split && !options().tolerant)) {
        end(deadlock());
        return false;
    }
    waitsForGrid_ = all.first->state == State::AtGrid;
    if (waitsForGrid_)
        noteBarrier(all.first->waitingAt, done_);
    else
        passBarrier(all.first->waitingAt, done_);
    return !waitsForGrid_;
}

std::uint64_t BlockRunner::mostRounds() const {
    return static_cast<std::uint64_t>(static_cast<double>(options().barrierLimit) * ofLimit_);
}

// Tests for many rounds and much time, because neither alone is a fault.
bool BlockRunner::tooManyRounds() {
    const double limit = options().secondLimit * ofLimit_;
    const std::uint64_t most = mostRounds();
    if (++rounds_ == most / 2) secondsAtHalf_ = processorSeconds();
    // Reads the clock in every 64th round only.
    return limit > 0 && rounds_ > most && rounds_ % 64 == 0 &&
           processorSeconds() - secondsAtHalf_ > limit;
}

// Ends the warp's epoch once its last lane has stopped at a barrier or returned.
void BlockRunner::endEpochOfWarp(std::uint32_t warp) {
    const std::uint32_t first = warp * 32, end = std::min(first + 32, count_);
    std::uint32_t left = 0;
    // Backwards, because in most schedules the last lanes come last.
    for (std::uint32_t i = end; i-- > first;) {
        const State state = threads_[i]->state;
        if (state == State::Ready || state == State::AtWarp || state == State::AtObject ||
            state == State::Converging)
            return;
        if (state != State::Done) left |= 1u << (i - first);
    }
    worker_.warps.endEpoch(warp, left);
}

void BlockRunner::makeFiber(SimulatedThread& thread) {
    const StackPool::Stack& stack = thread.stack = stacks_.at(thread.linear);
    if (!amongMany_) StackPool::clearUnused(stack);
    boost::context::stack_context context;
    context.sp = reinterpret_cast<void*>(stack.top);
    context.size = stack.top - stack.low;
    const boost::context::preallocated place(context.sp, context.size, context);
    thread.fresh = false;
    // One fiber serves this thread of all blocks.
    thread.fiber = boost::context::fiber(
        std::allocator_arg, place, KeepStack{},
        [this, &thread](boost::context::fiber&& from) -> boost::context::fiber {
            *left_ = std::move(from);
            for (;;) {
                // Ends the exception before fail() leaves the thread for good.
                std::string thrown;
                StackPool::clear(thread.stack, clear_);
                try {
                    callKernel(*call_, worker_);
                } catch (const boost::context::detail::forced_unwind&) {
                    throw;
                } catch (const std::exception& error) {
                    thrown = std::string("the kernel threw an exception: ") + error.what();
                } catch (...) {
                    thrown = "the kernel threw an exception";
                }
                if (!thrown.empty())
                    fail({"exception", thrown, call_->at,
                          "Device code has no exceptions: remove the throw from the kernel."});
                mostBarriers_ = std::max(mostBarriers_, thread.barriers);
                notify(ThreadStep::Returned);
                thread.state = State::Done;
                ++done_;
                yield();
            }
        });
}

void BlockRunner::notify(ThreadStep what, const Where& at) {
    worker_.notify(&Observer::step, worker_.actor, what, at, worker_.framesEnd());
}

void BlockRunner::keepFailure(Finding finding) {
    finding.inThread = true;
    notify(ThreadStep::Failed);
    describe(finding);
    failure_ = std::move(finding);
    failed_ = true;
}

void BlockRunner::fail(Finding finding) {
    keepFailure(std::move(finding));
    for (;;) switchTo(scheduler_, current_->fiber);  // the scheduler never resumes this thread
}

void BlockRunner::failFromSignal(Finding finding) {
    keepFailure(std::move(finding));
    siglongjmp(escape_, 1);
}

bool BlockRunner::inGuardPage(std::uintptr_t address) const {
    return worker_.stackLow - address <= StackPool::kGuardBytes + 65536 &&
           address < worker_.stackLow;
}

}  // namespace cusim
