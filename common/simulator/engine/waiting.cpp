// Lets threads wait for others without a barrier of the block: for the grid, for an object, and for
// the lanes that would run together.
#include <algorithm>

#include "simulator/engine/block_runner.h"

namespace cusim {

void BlockRunner::waitForGrid(const Where& at) {
    if (!amongMany_)
        fail(
            {"grid-sync", "the threads wait for the whole grid in a launch that is not cooperative",
             at,
             "If only the threads of one block must wait for each other, write __syncthreads(). If "
             "all blocks must wait, launch the kernel with cudaLaunchCooperativeKernel."});
    SimulatedThread& self = *current_;
    self.state = State::AtGrid;
    self.waitingAt = at;
    self.predicate = 0;
    ++self.barriers;
    ++worker_.barriers;
    yield();
}

void BlockRunner::waitUntil(IsReady ready, const void* object, std::uint64_t seen,
                            const Where& at) {
    SimulatedThread& self = *current_;
    ++self.barriers;
    ++worker_.barriers;
    if (ready(object, seen)) return;
    self.state = State::AtObject;
    self.waitingAt = at;
    self.ready = ready;
    self.object = object;
    self.seen = seen;
    yield();
}

// Tests whether all threads wait for this, except for the running one and those that have ended.
bool BlockRunner::othersWaitFor(const void* object, std::uint64_t seen) const {
    return std::all_of(threads_.begin(), threads_.begin() + count_, [&](const auto& one) {
        const bool waits =
            one->state == State::AtObject && one->object == object && one->seen == seen;
        return waits || one->state == State::Done || &*one == current_;
    });
}

bool BlockRunner::releaseWaiting() {
    bool released = false;
    for (std::uint32_t i = 0; i < count_; ++i) {
        SimulatedThread& thread = *threads_[i];
        if (thread.state != State::AtObject || !thread.ready(thread.object, thread.seen)) continue;
        thread.state = State::Ready;
        released = true;
    }
    return released;
}

unsigned BlockRunner::converged(const Where& at) {
    SimulatedThread& self = *current_;
    self.state = State::Converging;
    self.waitingAt = at;
    worker_.notify(&Observer::leave);
    yield();
    return self.mask;
}

// Releases the lanes of a warp that wait at one call, if no other thread can run: any other lane
// that could still come would have to be released by these.
bool BlockRunner::releaseConverging() {
    bool released = false;
    for (std::uint32_t i = 0; i < count_; ++i) {
        if (threads_[i]->state != State::Converging) continue;
        const Where at = threads_[i]->waitingAt;
        const std::uint32_t first = i / 32 * 32, end = std::min(first + 32, count_);
        unsigned lanes = 0;
        const auto waits = [&](std::uint32_t one) {
            return threads_[one]->state == State::Converging && threads_[one]->waitingAt == at;
        };
        for (std::uint32_t l = i; l < end; ++l)
            if (waits(l)) lanes |= 1u << (l - first);
        for (std::uint32_t l = i; l < end; ++l) {
            if (!waits(l)) continue;
            threads_[l]->mask = lanes;
            threads_[l]->state = State::Ready;
        }
        released = true;
    }
    return released;
}

// Notes each barrier at which some of the block's threads wait, other than the first one's.
void BlockRunner::noteSplit() {
    const SimulatedThread* first = nullptr;
    std::vector<Where> sites;
    for (std::uint32_t i = 0; i < count_; ++i) {
        const SimulatedThread& thread = *threads_[i];
        if (thread.state == State::Done) continue;
        if (!first) first = &thread;
        if (thread.waitingAt == first->waitingAt ||
            std::find(sites.begin(), sites.end(), thread.waitingAt) != sites.end())
            continue;
        sites.push_back(thread.waitingAt);
        auto found = std::find_if(split_.begin(), split_.end(), [&](const SplitBarrier& one) {
            return one.at == first->waitingAt && one.other == thread.waitingAt;
        });
        if (found == split_.end())
            found = split_.insert(split_.end(), {first->waitingAt, thread.waitingAt, 0,
                                                 static_cast<std::uint32_t>(linearBlock_)});
        ++found->count;
        found->block = std::min(found->block, static_cast<std::uint32_t>(linearBlock_));
    }
}

}  // namespace cusim
