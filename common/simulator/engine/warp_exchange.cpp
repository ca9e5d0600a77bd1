// Lets the lanes of a warp meet in a shuffle, a vote or a __syncwarp.
#include <algorithm>

#include "simulator/engine/block_runner.h"
#include "simulator/observers/happens_before.h"
#include "simulator/simulator.h"

namespace cusim {

unsigned BlockRunner::lanesInKernel(std::uint32_t first) const {
    unsigned lanes = 0;
    for (std::uint32_t i = first; i < std::min(first + 32, count_); ++i)
        if (threads_[i]->state != State::Done) lanes |= 1u << (i - first);
    return lanes;
}

const WarpValues& BlockRunner::exchange(unsigned mask, std::uint64_t value, const Where& at,
                                        bool orders, bool isWhole) {
    SimulatedThread& self = *current_;
    if (!(mask >> lane() & 1))
        fail({"warp-mask",
              "a lane calls a warp function whose mask leaves it out",
              at,
              "Pass a mask with the bit of every lane that reaches the call.",
              {joined("lane ", lane(), " is not in the mask that it passes")}});
    self.state = State::AtWarp;
    self.waitingAt = at;
    self.mask = mask;
    self.given = value;
    self.orders = orders;
    self.isWhole = isWhole;
    completeWarp(self);
    if (self.state == State::AtWarp) {
        worker_.notify(&Observer::leave);
        yield();
    }
    // Repeats what prepareTurn() does, for a lane that did not give up its turn.
    worker_.actor.warpEpoch = self.warpEpoch;
    worker_.beginTurn();
    return *self.received;
}

// Releases the lanes of a warp after the last of them has reached the call.
void BlockRunner::completeWarp(SimulatedThread& thread) {
    const std::uint32_t first = thread.linear / 32 * 32;
    const unsigned wanted = thread.mask & lanesInKernel(first);
    WarpValues all{};
    for (std::uint32_t l = 0; l < 32; ++l) {
        if (!(wanted >> l & 1)) continue;
        const SimulatedThread& other = *threads_[first + l];
        if (other.state != State::AtWarp || other.mask != thread.mask ||
            !(other.waitingAt == thread.waitingAt))
            return;
        all.value[l] = other.given;
    }
    all.active = wanted;
    const bool orders = thread.orders;
    // Lanes that have returned count as arrived if the mask names them.
    const unsigned all32 = count_ - first < 32 ? (1u << (count_ - first)) - 1 : ~0u;
    const unsigned named = thread.mask & all32;
    if (orders) worker_.notify(&Observer::syncWarp, worker_.actor.block, first, named);
    // The race check counts for a whole warp: if only a part of it meets, a second run decides what
    // that orders.
    const bool counts = orders && (!options().tolerant || named == all32);
    for (std::uint32_t l = 0; l < 32; ++l) {
        if (!(wanted >> l & 1)) continue;
        SimulatedThread& lane = *threads_[first + l];
        if (!lane.received) lane.received = std::make_unique<WarpValues>();
        *lane.received = all;
        if (counts && options().barriersOrder) ++lane.warpEpoch;
        lane.state = State::Ready;
    }
}

// A warp may have been waiting for lanes that have returned since.
bool BlockRunner::releaseWarps() {
    bool released = false;
    for (std::uint32_t i = 0; i < count_; ++i) {
        if (threads_[i]->state != State::AtWarp) continue;
        completeWarp(*threads_[i]);
        released |= threads_[i]->state == State::Ready;
    }
    return released;
}

}  // namespace cusim
