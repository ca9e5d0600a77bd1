// Marks of the bytes of an allocation, one a 4-byte word with a bit for each byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cusim {

constexpr std::uint8_t kWholeWord = 15;

// Marks bytes. Hot, and several host threads may mark at the same time.
__attribute__((always_inline)) inline void markBytes(std::uint8_t* marks, std::size_t offset,
                                                     std::size_t bytes) {
    if (__builtin_expect(((offset | bytes) & 3) == 0, 1)) {
        std::memset(marks + offset / 4, kWholeWord, bytes / 4);
        return;
    }
    for (std::size_t end = offset + bytes; offset < end; ++offset)
        __atomic_fetch_or(&marks[offset / 4], 1 << offset % 4, __ATOMIC_RELAXED);
}

}  // namespace cusim
