// The turns of the threads of a block. A turn ends at a barrier.
#include <algorithm>

#include "simulator/engine/block_runner.h"
#include "simulator/observers/happens_before.h"

__thread uint3 threadIdx;  // which device code sees as a constant (cusim/builtins.h)

namespace cusim {

AccessSite unusedSites[Runs::kSites];

void Worker::beginTurn() {
    mayRun = !countSharedElements && !noteEach && actor.warpEpoch == 0;
    if (mayRun)
        runs.endTurn();
    else
        runs.endRows();
    // If warps are observed, the hook must not skip an access.
    cusimSites = mayRun && !logWarps ? runs.sites() : unusedSites;
}

// Returns the next thread of this round that can run, or null at the round's end.
BlockRunner::SimulatedThread* BlockRunner::nextReady() {
    while (turn_ < count_) {
        SimulatedThread& thread = *threads_[order_[turn_++]];
        if (thread.state == State::Ready) return &thread;
    }
    return nullptr;
}

// Sets the state that a simulated thread needs before it continues.
void BlockRunner::prepareTurn(SimulatedThread& thread) {
    if (thread.fresh) makeFiber(thread);
    worker_.stackLow = thread.stack.low;
    worker_.stackBytes = thread.stack.top - thread.stack.low;
    ::threadIdx = thread.index;
    worker_.actor.thread = static_cast<std::uint16_t>(thread.linear);
    worker_.actor.warpEpoch = thread.warpEpoch;
    worker_.beginTurn();
    current_ = &thread;
    worker_.progress.step();
    ++turns_;
}

// Continues in `target`. On return, *left_ receives the fiber that switched back.
void BlockRunner::switchTo(boost::context::fiber& target, boost::context::fiber& self) {
    left_ = &self;
    boost::context::fiber from = std::move(target).resume();
    *left_ = std::move(from);
}

// Ends the turn and resumes the next thread directly, which is faster than through the scheduler.
void BlockRunner::yield() {
    SimulatedThread& self = *current_;
    if (worker_.logWarps) endEpochOfWarp(self.linear / 32);
    if (SimulatedThread* const next = nextReady()) {
        prepareTurn(*next);
        switchTo(next->fiber, self.fiber);
    } else {
        switchTo(scheduler_, self.fiber);
    }
}

// Inlines everything, because each turn ends here.
__attribute__((flatten)) unsigned BlockRunner::barrier(const Where& at, int predicate) {
    SimulatedThread& self = *current_;
    self.state = State::AtBarrier;
    self.waitingAt = at;
    if (arrived_++ == 0) arrivedAt_ = at;
    const bool same =
        at.place == arrivedAt_.place && at.line == arrivedAt_.line && at.file == arrivedAt_.file;
    arrivedApart_ |= !same && !(at == arrivedAt_);  // the comparison takes longer
    self.predicate = predicate != 0;
    ++self.barriers;
    ++worker_.barriers;
    if (worker_.noteEach) notify(ThreadStep::Barrier, at);
    yield();
    return predicatesTrue_;
}

// Notes a passed barrier. Threads that have returned count as arrived, as on a card.
void BlockRunner::noteBarrier(const Where& at, std::uint32_t done) {
    // A barrier that some threads bypass does not fix a race, so it is not kept.
    if (done == doneBefore_ &&
        std::find(barrierSites_.begin(), barrierSites_.end(), at) == barrierSites_.end())
        barrierSites_.push_back(at);
    doneBefore_ = done;
    if (done == 0) return;
    SkippedBarrier one{at, 1, linearBlock_, 0};
    while (threads_[one.thread]->state != State::Done) ++one.thread;
    noteSkipped(one);
}

void BlockRunner::releaseBarrier() {
    worker_.notify(&Observer::meet, worker_.actor.block, true);
    predicatesTrue_ = predicatesSeen_ = arrived_ = 0;
    arrivedApart_ = false;
    const unsigned uncounted = objectMade_ == Made::Now;
    if (uncounted) objectMade_ = Made::Before;
    for (std::uint32_t i = 0; i < count_; ++i) {
        SimulatedThread& thread = *threads_[i];
        if (thread.state != State::AtBarrier && thread.state != State::AtGrid) continue;
        predicatesTrue_ += static_cast<unsigned>(thread.predicate);
        ++predicatesSeen_;
        thread.barriers -= uncounted;
        worker_.barriers -= uncounted;
        thread.state = State::Ready;
    }
    ++phase_;
    worker_.passBarrier();
}

void BlockRunner::passBarrier(const Where& at, std::uint32_t done) {
    noteBarrier(at, done);
    releaseBarrier();
    if (schedule_.order == Schedule::Random)
        order_ = schedule_.permutation(count_, (linearBlock_ << 16) + phase_);
}

}  // namespace cusim
