// Groups of lanes of one warp: those that run together, and tiles of a block. A lane's rank is its
// place among the lanes of its group.
#pragma once

#include <cstring>
#include <type_traits>

#include "cusim/groups/thread_group.h"

namespace cooperative_groups {

namespace details {

// Returns the lane of this rank; the caller's own if there is none.
CUSIM_UNCHECKED unsigned laneOf(unsigned mask, unsigned rank) {
    if (rank >= static_cast<unsigned>(__popc(mask))) return threadRank() % 32;
    for (; rank > 0; --rank) mask &= mask - 1;
    return static_cast<unsigned>(__ffs(static_cast<int>(mask))) - 1;
}
// Returns a mask by rank for a mask of lanes.
CUSIM_UNCHECKED unsigned byRank(unsigned mask, unsigned lanes) {
    unsigned ranks = 0;
    for (unsigned rank = 0; mask != 0; mask &= mask - 1, ++rank)
        if (lanes & mask & -mask) ranks |= 1u << rank;
    return ranks;
}

}  // namespace details

class coalesced_group : public thread_group {
  public:
    CUSIM_UNCHECKED explicit coalesced_group(unsigned mask, unsigned metaRank = 0,
                                             unsigned metaSize = 1)
        : thread_group(mask), metaRank_(metaRank), metaSize_(metaSize) {}

    CUSIM_UNCHECKED void sync(cusim::Where at = cusim::Where::exactly()) const {
        __syncwarp(mask_, at);
    }
    CUSIM_UNCHECKED unsigned size() const { return static_cast<unsigned>(__popc(mask_)); }
    CUSIM_UNCHECKED unsigned num_threads() const { return size(); }
    CUSIM_UNCHECKED unsigned thread_rank() const {
        return static_cast<unsigned>(__popc(mask_ & details::lanesBelow()));
    }
    CUSIM_UNCHECKED unsigned meta_group_rank() const { return metaRank_; }
    CUSIM_UNCHECKED unsigned meta_group_size() const { return metaSize_; }

    template <class T>
    CUSIM_AT_CALLER T shfl(T value, int rank, cusim::Where at = cusim::Where::here()) const {
        return fromRank(value, static_cast<unsigned>(rank), at);
    }
    template <class T>
    CUSIM_AT_CALLER T shfl_down(T value, unsigned delta,
                                cusim::Where at = cusim::Where::here()) const {
        return fromRank(value, thread_rank() + delta, at);
    }
    template <class T>
    CUSIM_AT_CALLER T shfl_up(T value, unsigned delta,
                              cusim::Where at = cusim::Where::here()) const {
        const unsigned rank = thread_rank();
        return fromRank(value, rank >= delta ? rank - delta : rank, at);
    }
    CUSIM_UNCHECKED int any(int predicate, cusim::Where at = cusim::Where::here()) const {
        return __any_sync(mask_, predicate, at);
    }
    CUSIM_UNCHECKED int all(int predicate, cusim::Where at = cusim::Where::here()) const {
        return __all_sync(mask_, predicate, at);
    }
    // Return masks by rank.
    CUSIM_UNCHECKED unsigned ballot(int predicate, cusim::Where at = cusim::Where::here()) const {
        return details::byRank(mask_, __ballot_sync(mask_, predicate, at));
    }
    template <class T>
    CUSIM_UNCHECKED unsigned match_any(T value, cusim::Where at = cusim::Where::here()) const {
        return details::byRank(mask_, __match_any_sync(mask_, value, at));
    }
    template <class T>
    CUSIM_UNCHECKED unsigned match_all(T value, int& predicate,
                                       cusim::Where at = cusim::Where::here()) const {
        return details::byRank(mask_, __match_all_sync(mask_, value, &predicate, at));
    }

  protected:
    // Belongs to the caller, so that the device hears of the memory of a value that is no number.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
    template <class T>
    CUSIM_AT_CALLER T fromRank(T value, unsigned rank, cusim::Where at) const {
        static_assert(std::is_trivially_copyable_v<T>,
                      "shfl() moves bytes: the type must allow it");
        const unsigned lane = details::laneOf(mask_, rank);
        if constexpr (std::is_scalar_v<T>) {
            return cusim::shuffle(mask_, value, lane, at);
        } else {
            unsigned long long words[(sizeof(T) + 7) / 8] = {};
            std::memcpy(words, &value, sizeof(T));
            for (auto& word : words) word = cusim::shuffle(mask_, word, lane, at);
            std::memcpy(&value, words, sizeof(T));
            return value;
        }
    }
#pragma GCC diagnostic pop

    unsigned metaRank_, metaSize_;  // which of how many parts of the parent the group is
};

CUSIM_UNCHECKED coalesced_group coalesced_threads(cusim::Where at = cusim::Where::exactly()) {
    return coalesced_group(cusim::convergedLanes(at));
}

// A tile of consecutive threads of a block, whose number the compiler knows.
template <unsigned Size, class Parent = void>
class thread_block_tile : public coalesced_group {
    static_assert(Size > 0 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");
    static_assert(Size <= 32,
                  "tiles of several warps are not supported by the simulated device: use tiles of "
                  "32 and this_thread_block(), or run on a card with DEVICE=gpu");

  public:
    CUSIM_UNCHECKED thread_block_tile(unsigned mask, unsigned metaRank, unsigned metaSize)
        : coalesced_group(mask, metaRank, metaSize) {}
    template <class Other>
    CUSIM_UNCHECKED thread_block_tile(const thread_block_tile<Size, Other>& other)
        : coalesced_group(other) {}

    CUSIM_UNCHECKED static constexpr unsigned size() { return Size; }
    CUSIM_UNCHECKED static constexpr unsigned num_threads() { return Size; }
    CUSIM_UNCHECKED static unsigned thread_rank() { return details::threadRank() % Size; }

    template <class T>
    CUSIM_AT_CALLER T shfl(T value, int rank, cusim::Where at = cusim::Where::here()) const {
        return this->fromRank(value, static_cast<unsigned>(rank) % Size, at);
    }
    template <class T>
    CUSIM_AT_CALLER T shfl_xor(T value, unsigned with,
                               cusim::Where at = cusim::Where::here()) const {
        return this->fromRank(value, thread_rank() ^ with, at);
    }
};

template <unsigned Size>
CUSIM_UNCHECKED thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
    const unsigned rank = details::threadRank(), inWarp = rank % 32 / Size * Size;
    const unsigned lanes = Size == 32 ? ~0u : (1u << Size % 32) - 1;
    const unsigned left = details::blockSize() - rank / 32 * 32;  // in this warp and after it
    const unsigned there = left >= 32 ? ~0u : (1u << left) - 1;
    return {lanes << inWarp & there, rank / Size, (details::blockSize() + Size - 1) / Size};
}
template <unsigned Size, unsigned ParentSize, class Grandparent>
CUSIM_UNCHECKED thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>> tiled_partition(
    const thread_block_tile<ParentSize, Grandparent>& parent) {
    static_assert(Size <= ParentSize, "a part of a tile is no larger than the tile");
    return {tiled_partition<Size>(thread_block()).cusimMask(), parent.thread_rank() / Size,
            ParentSize / Size};
}

// Parts of a size known only at run time: consecutive ranks of the group.
CUSIM_UNCHECKED coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
    const unsigned first = parent.thread_rank() / size * size;
    unsigned lanes = 0;
    for (unsigned rank = first; rank < first + size && rank < parent.size(); ++rank)
        lanes |= 1u << details::laneOf(parent.cusimMask(), rank);
    return coalesced_group(lanes, first / size, (parent.size() + size - 1) / size);
}
CUSIM_UNCHECKED thread_group tiled_partition(const thread_block& block, unsigned size) {
    return tiled_partition(tiled_partition<32>(block), size);
}
CUSIM_UNCHECKED thread_group tiled_partition(const thread_group& parent, unsigned size) {
    if (parent.cusimMask() == 0) return tiled_partition(thread_block(), size);
    return tiled_partition(coalesced_group(parent.cusimMask()), size);
}
// The lanes that agree on a value, or on whether something holds.
template <class T>
CUSIM_UNCHECKED coalesced_group labeled_partition(const coalesced_group& parent, T label,
                                                  cusim::Where at = cusim::Where::here()) {
    return coalesced_group(__match_any_sync(parent.cusimMask(), label, at));
}
CUSIM_UNCHECKED coalesced_group binary_partition(const coalesced_group& parent, bool holds,
                                                 cusim::Where at = cusim::Where::here()) {
    const unsigned with = __ballot_sync(parent.cusimMask(), holds, at);
    return coalesced_group(holds ? with : parent.cusimMask() & ~with, holds ? 1 : 0, 2);
}

}  // namespace cooperative_groups
