// Fences, and threads that wait by atomic or volatile accesses for values that others store.
#include <sched.h>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/endless.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

void BlockRunner::fence(Scope scope) {
    worker_.runs.flushStores();  // other threads may see them now
    worker_.notify(&Observer::fence, worker_.actor.block, worker_.actor.thread, scope);
}

void BlockRunner::endEpoch() {
    worker_.notify(&Observer::meet, worker_.actor.block, false);
    worker_.passBarrier();
    worker_.beginTurn();
}

void BlockRunner::spin(const void* place) {
    current_->polls = 0;
    spunAt_ = place;
    spunOn_ = current_->polled;
    ++spins_;
    yield();
}

// Ends a round. Returns true after a failure: all threads that can run have waited long for a value
// that none of them stores.
bool BlockRunner::spunInVain() {
    // Threads that wait at an object or in their warp may store the value after they are released.
    const bool inVain = turns_ > 0 && turns_ == spins_ && !releaseWaiting() && !releaseWarps() &&
                        !releaseConverging();
    turns_ = spins_ = 0;
    roundsInVain_ = inVain ? roundsInVain_ + 1 : 0;
    moved_ |= !inVain;
    if (!inVain) return false;
    if (!worker_.alone) sched_yield();  // the block on another host thread may store it
    const std::uint32_t most = amongMany_ ? 2 : kRoundsInVain * (worker_.alone ? 1 : 50);
    if (roundsInVain_ < most) return false;
    waitsInVain_ = true;
    if (amongMany_) return true;
    failure_ = endlessWait();
    failed_ = true;
    return true;
}

Finding BlockRunner::endlessWait() const {
    const Allocation* const memory = DeviceMemory::instance().find(spunOn_);
    Finding finding = memory && memory->hostMayAccess()
                          ? waitForHost(placeOf(spunAt_))
                          : cusim::endlessWait(placeOf(spunAt_), amongMany_);
    describe(finding);
    return finding;
}

}  // namespace cusim
