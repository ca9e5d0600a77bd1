// The words in uninitialized memory: the same on every run, and not a number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cusim {

// A signalling NaN. Arithmetic makes it quiet and copying keeps it, which distinguishes "never
// written" from "added to, but never set". The labs' comparison knows the same pattern.
constexpr std::uint32_t kUnsetWord = 0x7FA5C0DEu;

// Fills a thread's own memory, and the stack below host code. A quiet NaN with another payload, so
// that a kernel which stores an unset local variable does not look like one that stores nothing.
constexpr std::uint32_t kUnsetLocalWord = 0x7FE5C0DEu;

inline void fillUnset(void* start, std::size_t bytes) {
    auto* const words = static_cast<std::uint32_t*>(start);
    std::fill_n(words, bytes / 4, kUnsetWord);
    std::memcpy(words + bytes / 4, &kUnsetWord, bytes % 4);
}

}  // namespace cusim
