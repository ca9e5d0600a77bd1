// What memory holds that nothing has written yet: the same on every run, and no number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cusim {

// A signalling NaN: arithmetic turns it into a quiet one, copying keeps it, so that "never
// written" and "added to, but never set" can be told apart afterwards. The labs' comparison knows
// the same pattern.
constexpr std::uint32_t kUnsetWord = 0x7FA5C0DEu;

// In a thread's own memory: a quiet NaN with another payload, so that a kernel that stores a local
// variable which it never set is not taken for one that stores nothing.
constexpr std::uint32_t kUnsetLocalWord = 0x7FE5C0DEu;

inline void fillUnset(void* start, std::size_t bytes) {
    auto* const words = static_cast<std::uint32_t*>(start);
    std::fill_n(words, bytes / 4, kUnsetWord);
    std::memcpy(words + bytes / 4, &kUnsetWord, bytes % 4);
}

}  // namespace cusim
