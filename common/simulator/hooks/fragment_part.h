// One lane's part of a fragment, and helpers of the warp matrix functions of mma.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "simulator/hooks/hooks.h"
#include "simulator/include/cusim/fragments.h"
#include "simulator/include/cusim/warp.h"

namespace cusim {

constexpr unsigned kLanes = 32, kAllLanes = ~0u;

std::size_t sizeOf(ElementType type);

// An uninitialized element: NaN if the type has one.
std::uint64_t unsetElement(std::size_t size);

// One lane's fragment.
class Part {
  public:
    explicit Part(const Fragment& fragment)
        : own_(fragment),
          size_(sizeOf(fragment.type)),
          distinct_(fragment.rows * fragment.columns / static_cast<int>(kLanes)) {}

    std::size_t size() const { return size_; }
    // The number of elements without repeated ones.
    int distinct() const { return distinct_; }
    char* at(int i) const {
        return static_cast<char*>(own_.elements) + static_cast<std::size_t>(i) * size_;
    }
    void announce(AccessKind kind, const void* place) const {
        unannounced(own_.elements, static_cast<std::size_t>(own_.count) * size_, kind, place);
        unannounced(own_.isSet, 1, kind, place);
    }
    void set(int i, const void* value) const {
        for (int held = i; held < own_.count; held += distinct_)
            std::memcpy(at(held), value, size_);
    }
    // Tests whether the kernel has left an element unset. A byte may have any value by chance.
    bool isUnset() const;

    // Returns the row and the column of an element. CUDA does not define them. Here no lane has the
    // element of its own number, or the same elements in A, B and an accumulator: a kernel that
    // relies on either, or that lacks a __syncwarp(), is wrong here, too. The i-th elements of all
    // lanes are side by side in memory.
    std::pair<int, int> position(unsigned lane, int i) const {
        const int step = i % distinct_;
        const unsigned shift = 2 * static_cast<unsigned>(step) + 10 * unsigned(own_.role) + 1;
        const int number =
            static_cast<int>(kLanes) * step + static_cast<int>((5 * lane + shift) % kLanes);
        if (own_.byColumns) return {number % own_.rows, number / own_.rows};
        return {number / own_.columns, number % own_.columns};
    }

  private:
    const Fragment& own_;
    std::size_t size_;
    int distinct_;
};

// Waits for the other lanes of the warp. Returns the value given by each.
const WarpValues& meet(const char* function, std::uint64_t given, const Where& at);

// Ends the kernel if an element of the fragment is unset; `name` is the fragment's in the report.
void refuseUnset(const Fragment& fragment, const char* function, const char* name, const Where& at);

}  // namespace cusim
