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

// Waits until each lane of `mask` that still runs has reached this call; returns all their values.
const WarpValues& exchange(unsigned mask, std::uint64_t value, Where at);
unsigned lane();
// Returns the lanes that reach this call together: all that do not wait elsewhere.
unsigned convergedLanes(Where at);
// Waits for all threads of a grid that was launched as cooperative.
void waitForGrid(Where at);
bool isCooperative();

template <class T>
CUSIM_UNCOUNTED T shuffle(unsigned mask, T value, unsigned source, Where at) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8,
                  "a warp shuffle moves a value of 4 or 8 bytes");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    const WarpValues& all = exchange(mask, bits, at);
    std::memcpy(&value, &all.value[source % 32], sizeof value);
    return value;
}

// Returns the lanes of the mask whose value has the same bits.
template <class T>
CUSIM_UNCOUNTED unsigned lanesWith(unsigned mask, T value, Where at) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a match compares 4 or 8 bytes");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    const WarpValues& all = exchange(mask, bits, at);
    unsigned lanes = 0;
    for (unsigned l = 0; l < 32; ++l)
        if ((all.active >> l & 1) && all.value[l] == bits) lanes |= 1u << l;
    return lanes;
}

// Combines the values of all lanes of the mask. `operation` must capture nothing, since
// reading a capture would count as an access of the kernel.
template <class T, class Operation>
CUSIM_UNCOUNTED T reduced(unsigned mask, T value, Operation operation, Where at) {
    const WarpValues& all = exchange(mask, static_cast<std::uint64_t>(value), at);
    bool first = true;
    for (unsigned l = 0; l < 32; ++l) {
        if (!(all.active >> l & 1)) continue;
        const T one = static_cast<T>(all.value[l]);
        value = first ? one : operation(value, one);
        first = false;
    }
    return value;
}

}  // namespace cusim

void __syncwarp(unsigned mask = 0xffffffffu, cusim::Where at = cusim::Where::here());
int __all_sync(unsigned mask, int predicate, cusim::Where at = cusim::Where::here());
int __any_sync(unsigned mask, int predicate, cusim::Where at = cusim::Where::here());
unsigned __ballot_sync(unsigned mask, int predicate, cusim::Where at = cusim::Where::here());
inline unsigned __activemask(cusim::Where at = cusim::Where::exactly()) {
    return cusim::convergedLanes(at);
}

// A lane may give a value that is set only in the lane that the others read.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
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
#pragma GCC diagnostic pop

// Compute capability 7.0 and 8.0: "Warp Match Functions", "Warp Reduce Functions".
template <class T>
CUSIM_UNCHECKED unsigned __match_any_sync(unsigned mask, T value,
                                          cusim::Where at = cusim::Where::here()) {
    return cusim::lanesWith(mask, value, at);
}
template <class T>
__attribute__((always_inline)) inline unsigned __match_all_sync(
    unsigned mask, T value, int* predicate, cusim::Where at = cusim::Where::here()) {
    const unsigned with = cusim::lanesWith(mask, value, at);
    *predicate = __all_sync(mask, with == __ballot_sync(mask, 1, at), at);
    return *predicate ? with : 0;
}

#define CUSIM_REDUCE(name, T, expression)                                                    \
    CUSIM_UNCHECKED T name(unsigned mask, T value, cusim::Where at = cusim::Where::here()) { \
        return cusim::reduced(                                                               \
            mask, value, [](T a, T b) -> T { return expression; }, at);                      \
    }
#define CUSIM_REDUCE_BOTH(name, expression) \
    CUSIM_REDUCE(name, unsigned, expression) CUSIM_REDUCE(name, int, expression)
CUSIM_REDUCE(__reduce_add_sync, unsigned, a + b)
CUSIM_UNCHECKED int __reduce_add_sync(unsigned mask, int value,
                                      cusim::Where at = cusim::Where::here()) {
    return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned>(value), at));
}
CUSIM_REDUCE_BOTH(__reduce_min_sync, b < a ? b : a)
CUSIM_REDUCE_BOTH(__reduce_max_sync, a < b ? b : a)
CUSIM_REDUCE(__reduce_and_sync, unsigned, a& b)
CUSIM_REDUCE(__reduce_or_sync, unsigned, a | b)
CUSIM_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef CUSIM_REDUCE_BOTH
#undef CUSIM_REDUCE
