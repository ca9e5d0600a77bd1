// Reads that need no second look. Most reads of a kernel repeat one that another thread has made:
// the same instruction, the same word, no barrier and no write since. These are only counted, and
// the range of reading threads is kept, which goes to the race check once anything else happens to
// the word.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/memory/access.h"

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
    // The code is smaller than 1 GiB, so the lower half of an address identifies the instruction.
    Instruction instruction() const {
        const auto base = static_cast<std::uint32_t>(instructionBase());
        return (static_cast<std::uint32_t>(tag >> 32) - base) << 2 |
               static_cast<Instruction>(AccessKind::Load);
    }
};

// Has an entry for each 4-byte word of a range of addresses. Takes memory only where entries are
// used.
class QuickReads {
  public:
    QuickReads() = default;
    ~QuickReads();
    QuickReads(const QuickReads&) = delete;
    QuickReads& operator=(const QuickReads&) = delete;

    // Covers at least this many bytes; may forget entries.
    void cover(std::size_t bytes);
    // Frees the memory of the entries of the first `bytes` of the range.
    void forgetBelow(std::size_t bytes);

    std::size_t bytes() const { return bytes_; }
    QuickRead* entries() const { return entries_; }

    // Calls join(offset, instruction, lowest, highest) for each word of an access that was read
    // quickly in this epoch, and forgets those reads.
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
