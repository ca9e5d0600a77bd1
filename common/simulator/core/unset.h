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

inline void fillUnset(void* start, std::size_t bytes) {
    auto* const words = static_cast<std::uint32_t*>(start);
    std::fill_n(words, bytes / 4, kUnsetWord);
    std::memcpy(words + bytes / 4, &kUnsetWord, bytes % 4);
}

}  // namespace cusim
