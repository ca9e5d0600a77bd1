// Threads of a block that come to a barrier, and pass it.
#include <algorithm>

#include "simulator/engine/block_runner.h"
#include "simulator/observers/happens_before.h"

namespace cusim {

unsigned BlockRunner::barrier(const Where& at, int predicate) {
    SimulatedThread& self = *current_;
    self.state = State::AtBarrier;
    self.waitingAt = at;
    if (arrived_++ == 0) arrivedAt_ = at;
    const bool same =
        at.place == arrivedAt_.place && at.line == arrivedAt_.line && at.file == arrivedAt_.file;
    arrivedApart_ |= !same && !(at == arrivedAt_);  // which takes longer
    self.predicate = predicate != 0;
    ++self.barriers;
    ++worker_.barriers;
    if (worker_.noteEach) {
        if (worker_.trace.on()) worker_.trace.barrier(worker_.actor, at);
        record(RecordedStep::Barrier);
    }
    yield();
    return predicatesTrue_;
}

// Notes a passed barrier. Threads that have returned count as arrived, as on a device.
void BlockRunner::noteBarrier(const Where& at, std::uint32_t done) {
    // A barrier that some threads went round is no cure for a race, so it is not kept.
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
    if (worker_.order) worker_.order->barrier(worker_.actor.block);
    predicatesTrue_ = predicatesSeen_ = arrived_ = 0;
    arrivedApart_ = false;
    for (std::uint32_t i = 0; i < count_; ++i) {
        SimulatedThread& thread = *threads_[i];
        if (thread.state != State::AtBarrier && thread.state != State::AtGrid) continue;
        predicatesTrue_ += static_cast<unsigned>(thread.predicate);
        ++predicatesSeen_;
        thread.state = State::Ready;
    }
    ++phase_;
    worker_.trace.endPhase();
    worker_.recording.endPhase();
    worker_.endEpoch();
}

void BlockRunner::passBarrier(const Where& at, std::uint32_t done) {
    noteBarrier(at, done);
    releaseBarrier();
    if (schedule_.order == Schedule::Random)
        order_ = schedule_.permutation(count_, (linearBlock_ << 16) + phase_);
}

}  // namespace cusim
