// Marks of the bytes of an allocation: one mark per 4-byte word, with one bit per byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace cusim {

// Bytes of an allocation, from its start.
struct Piece {
    std::size_t begin, end;
};

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

// What a launch does with the bytes of an allocation.
enum class ByteUse { Read, Write, Update };  // the last by atomics and volatile stores
constexpr int kByteUses = 3;

// Has marks of each use. Only pages with set marks take memory.
class UsedBytes {
  public:
    explicit UsedBytes(std::size_t bytes);
    ~UsedBytes();
    UsedBytes(const UsedBytes&) = delete;
    UsedBytes& operator=(const UsedBytes&) = delete;

    std::uint8_t* marks(ByteUse use) const { return marks_ + static_cast<int>(use) * words_; }
    // Returns the pieces of a use in their order, up to 65,536, and forgets all of them. None lies
    // outside of `within`.
    std::vector<Piece> take(ByteUse use, Piece within);

  private:
    std::size_t words_;
    std::uint8_t* marks_;
};

}  // namespace cusim
