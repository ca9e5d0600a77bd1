// Warp functions (CUDA C++ Programming Guide, "Warp vote functions", "Warp shuffle functions").
// Every lane named in `mask` must reach the same call; the others take no part.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cusim/uncounted.h"
#include "cusim/where.h"

namespace cusim {

// The value of each of the 32 lanes at a collective call, and a mask of the lanes that took part.
struct WarpValues {
    std::uint64_t value[32];
    unsigned active;
};

// Waits until every lane of `mask` that still runs has come to this call; returns all their values.
const WarpValues& exchange(unsigned mask, std::uint64_t value, Where at);
unsigned lane();
unsigned activeLanes();

template <class T>
CUSIM_UNCOUNTED T shuffle(unsigned mask, T value, unsigned source, Where at) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8,
                  "a warp shuffle moves a value of 4 or 8 bytes");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    const WarpValues& all = exchange(mask, bits, at);
    std::memcpy(&value, &all.value[source], sizeof value);
    return value;
}

}  // namespace cusim

void __syncwarp(unsigned mask = 0xffffffffu, cusim::Where at = cusim::Where::here());
int __all_sync(unsigned mask, int predicate, cusim::Where at = cusim::Where::here());
int __any_sync(unsigned mask, int predicate, cusim::Where at = cusim::Where::here());
unsigned __ballot_sync(unsigned mask, int predicate, cusim::Where at = cusim::Where::here());
inline unsigned __activemask() { return cusim::activeLanes(); }

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32,
              cusim::Where at = cusim::Where::here()) {
    const unsigned own = cusim::lane(), size = static_cast<unsigned>(width);
    const unsigned from = (own & ~(size - 1)) + (static_cast<unsigned>(source) & (size - 1));
    return cusim::shuffle(mask, value, from, at);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                 cusim::Where at = cusim::Where::here()) {
    const unsigned own = cusim::lane(), inSegment = own & (static_cast<unsigned>(width) - 1);
    return cusim::shuffle(mask, value, inSegment >= delta ? own - delta : own, at);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   cusim::Where at = cusim::Where::here()) {
    const unsigned own = cusim::lane(), size = static_cast<unsigned>(width);
    return cusim::shuffle(mask, value, (own & (size - 1)) + delta < size ? own + delta : own, at);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = 32,
                  cusim::Where at = cusim::Where::here()) {
    const unsigned own = cusim::lane(), size = static_cast<unsigned>(width);
    const unsigned from = own ^ static_cast<unsigned>(laneMask);
    // A lane may read from its own and earlier segments, not from later ones.
    return cusim::shuffle(mask, value, from / size > own / size ? own : from, at);
}
