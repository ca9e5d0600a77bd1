// Reads that need no second look. Most reads of a kernel repeat, in another thread, one that has
// been checked already: the same instruction, the same word, no barrier since and no write to the
// word. All that is left to do for these is to count them and to remember which threads read. What
// is remembered goes to the race check as soon as anything else happens to the word.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/core/access.h"

namespace cusim {

struct QuickRead {
    std::uint64_t tag;              // the instruction's return address and the epoch; 0: none
    std::uint16_t lowest, highest;  // threads
    std::uint32_t counter;

    static std::uint64_t tagOf(const void* place, std::uint32_t epoch) {
        return std::uint64_t{static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(place))}
                   << 32 |
               epoch;
    }
    bool ofEpoch(std::uint32_t epoch) const { return static_cast<std::uint32_t>(tag) == epoch; }
    // The code is smaller than 1 GiB, so that the lower half of an address says which one it is.
    Instruction instruction() const {
        const auto base = static_cast<std::uint32_t>(instructionBase());
        return (static_cast<std::uint32_t>(tag >> 32) - base) << 2 |
               static_cast<Instruction>(AccessKind::Load);
    }
};

// An entry for each 4-byte word of a range of addresses. Memory is used where entries are.
class QuickReads {
  public:
    QuickReads() = default;
    ~QuickReads();
    QuickReads(const QuickReads&) = delete;
    QuickReads& operator=(const QuickReads&) = delete;

    // Covers at least so many bytes; entries may be forgotten.
    void cover(std::size_t bytes);
    // Gives back the memory of entries of the first bytes of the range.
    void forgetBelow(std::size_t bytes);

    std::size_t bytes() const { return bytes_; }
    QuickRead* entries() const { return entries_; }

    // Calls join(offset, instruction, lowest, highest) for each word of an access that has been
    // read quickly in this epoch, and ends that.
    template <class Join>
    __attribute__((always_inline)) void settle(std::size_t offset, std::size_t bytes,
                                               std::uint32_t epoch, Join join) {
        for (std::size_t word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) {
            QuickRead& entry = entries_[word];
            if (!entry.ofEpoch(epoch)) continue;
            join(word * 4, entry.instruction(), entry.lowest, entry.highest);
            entry.tag = 0;
        }
    }

  private:
    QuickRead* entries_ = nullptr;
    std::size_t bytes_ = 0, forgotten_ = 0;
};

}  // namespace cusim
