// What the race check keeps of one cell of memory between two barriers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "simulator/memory/access.h"

namespace cusim {

// The threads of one block that executed one instruction on the cell since the last barrier.
struct Party {
    std::uint16_t lowest = 0, highest = 0;
    // The instruction, the number of __syncwarp that its threads' warp had passed, and whether this
    // was since the last barrier. One word, so that an access compares all three at once.
    std::uint64_t key = 0;

    static std::uint64_t keyOf(Instruction instruction, std::uint16_t warpEpoch) {
        return std::uint64_t{instruction} << 32 | std::uint64_t{warpEpoch} << 16 | 1;
    }
    Instruction instruction() const { return static_cast<Instruction>(key >> 32); }
    std::uint16_t warpEpoch() const { return static_cast<std::uint16_t>(key >> 16); }
    bool active() const { return key & 1; }
    void deactivate() { key &= ~std::uint64_t{1}; }

    bool writes() const { return kindOf(instruction()) != AccessKind::Load; }
    bool atomic() const { return kindOf(instruction()) == AccessKind::Atomic; }
    bool oneThread() const { return lowest == highest; }

    void join(const Actor& actor) {
        if (actor.thread < lowest) lowest = actor.thread;
        if (actor.thread > highest) highest = actor.thread;
    }
    void restart(const Actor& actor) {
        lowest = highest = actor.thread;
        key |= 1;
    }
    static constexpr bool kKeepsBlocks = false;
};

// A party of device memory, which all blocks share: also holds the blocks since the launch began.
struct PartyOfBlocks : Party {
    std::uint32_t lowestBlock = UINT32_MAX, highestBlock = 0;

    void join(const Actor& actor) {
        Party::join(actor);
        meet(actor.block);
    }
    void restart(const Actor& actor) {
        Party::restart(actor);
        meet(actor.block);
    }
    void meet(std::uint32_t block) {
        lowestBlock = std::min(lowestBlock, block);
        highestBlock = std::max(highestBlock, block);
    }
    bool oneBlock() const { return lowestBlock == highestBlock; }
    static constexpr bool kKeepsBlocks = true;
};

inline bool mayConflict(const Party& a, const Party& b) {
    return (a.writes() || b.writes()) && !(a.atomic() && b.atomic());
}

// Returns two threads of one block, one of each party, that conflict since the last barrier, if
// there are any.
inline std::optional<std::pair<std::uint16_t, std::uint16_t>> conflict(const Party& a,
                                                                       const Party& b) {
    if (!mayConflict(a, b)) return std::nullopt;
    if (&a == &b) {
        if (a.oneThread()) return std::nullopt;
        return std::make_pair(a.lowest, a.highest);
    }
    // A __syncwarp between them orders the threads of one warp.
    const int ordered = a.warpEpoch() != b.warpEpoch() ? 32 : 1;
    const auto differ = [&](std::uint16_t one, std::uint16_t other) {
        return one / ordered != other / ordered;
    };
    if (differ(a.lowest, b.lowest)) return std::make_pair(a.lowest, b.lowest);
    if (differ(a.lowest, b.highest)) return std::make_pair(a.lowest, b.highest);
    if (differ(a.highest, b.lowest)) return std::make_pair(a.highest, b.lowest);
    return std::nullopt;
}

}  // namespace cusim
