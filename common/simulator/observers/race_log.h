// Data races: two accesses to one cell by different threads, at least one of them a write, not
// both atomic, with no barrier between. Each cell keeps only the lowest and the highest thread of
// each instruction. They decide whether any two threads conflict, in whatever order threads ran.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "simulator/memory/access.h"

namespace cusim {

// Two instructions that race on one array; `first` is the lower one.
struct RacePair {
    bool shared = false;
    std::uint32_t array = 0;  // index of the shared array, or id of the allocation
    Instruction first = 0, second = 0;
    bool acrossBlocks = false;

    bool operator<(const RacePair& other) const {
        return std::tie(shared, array, first, second, acrossBlocks) <
               std::tie(other.shared, other.array, other.first, other.second, other.acrossBlocks);
    }
};

// Why two accesses race, the most severe reason last. Only a second run distinguishes the reasons
// (happens_before.h); without it all are Unordered. The first three do no harm on cards. OneValue
// is the most severe of these: it becomes Unordered if the opposite order leaves other memory.
enum class RaceReason : std::uint8_t {
    SameValue,    // all store the same value
    NoAcquire,    // the reader of an atomic's signal has no fence after it
    OneValue,     // a read beside such stores, and the opposite order leaves the same memory
    NoRelease,    // no fence is before the atomic that releases the other side
    NarrowScope,  // atomics of _block, by threads of several blocks
    UnderWay,     // a store may come before an asynchronous copy has read its source
    Unchanged,    // a read beside stores that all write what was there
    Unordered,
};

// One of the places where a pair races: the same one however the threads were scheduled.
struct RaceExample {
    std::uint64_t count = 0;  // number of such places; each word counts once between two barriers
    std::uint32_t block = 0, otherBlock = 0;
    std::uint64_t offset = 0;  // bytes into the array
    std::uint32_t firstThread = 0, secondThread = 0;
    RaceReason reason = RaceReason::Unordered;
    Instruction handedOverBy = 0;  // the atomic that lacks a fence before it
    bool areVolatile = false;      // a read and a store, and neither is atomic
    bool besideAtomic = false;     // a plain read

    bool before(const RaceExample& other) const {
        return std::tie(block, offset, firstThread, secondThread) <
               std::tie(other.block, other.offset, other.firstThread, other.secondThread);
    }
};

class RaceLog {
  public:
    void add(const RacePair& pair, const RaceExample& one) {
        const auto [found, isNew] = races_.emplace(pair, one);
        if (isNew) return;
        // A more severe reason restarts the count.
        if (one.reason != found->second.reason) {
            if (one.reason > found->second.reason) found->second = one;
            return;
        }
        const std::uint64_t count = found->second.count + one.count;
        if (one.before(found->second)) found->second = one;
        found->second.count = count;
    }
    void add(const RaceLog& other) {
        for (const auto& [pair, example] : other.races_) add(pair, example);
    }
    void clear() { races_.clear(); }
    bool has(RaceReason reason) const {
        return std::any_of(races_.begin(), races_.end(),
                           [&](const auto& race) { return race.second.reason == reason; });
    }
    void change(RaceReason from, RaceReason to) {
        for (auto& [pair, example] : races_)
            if (example.reason == from) example.reason = to;
    }
    const std::map<RacePair, RaceExample>& races() const { return races_; }

  private:
    std::map<RacePair, RaceExample> races_;
};

}  // namespace cusim
