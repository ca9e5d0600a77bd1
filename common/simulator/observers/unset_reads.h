// Finds reads of uninitialized memory: shared memory since its block began, device memory since its
// allocation. Each byte of memory has one byte of marks.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <tuple>
#include <vector>

#include "simulator/memory/access.h"

namespace cusim {

// Compares and sets marks. A byte counts as written while its mark is the current one.
class Marks {
  public:
    static bool all(const std::uint8_t* marks, std::size_t bytes, std::uint8_t mark) {
        const std::uint64_t wanted = std::uint64_t{mark} * 0x0101010101010101ull;
        if (bytes == 4) return load<std::uint32_t>(marks) == static_cast<std::uint32_t>(wanted);
        if (bytes == 8) return load<std::uint64_t>(marks) == wanted;
        for (std::size_t i = 0; i < bytes; ++i)
            if (marks[i] != mark) return false;
        return true;
    }
    // The same for many bytes.
    static bool allOf(const std::uint8_t* marks, std::size_t bytes, std::uint8_t mark) {
        return bytes == 0 || (*marks == mark && std::memcmp(marks, marks + 1, bytes - 1) == 0);
    }
    static void set(std::uint8_t* marks, std::size_t bytes, std::uint8_t mark) {
        std::memset(marks, mark, bytes);
    }

  private:
    template <class T>
    static T load(const std::uint8_t* marks) {
        T value;
        std::memcpy(&value, marks, sizeof value);
        return value;
    }
};

// The mark of device memory, which never changes.
constexpr std::uint8_t kWritten = 1;
// The next mark stands for unset bytes that an atomic has updated. Each such atomic is noted, so
// that their order does not matter; later reads are not.
constexpr std::uint8_t updated(std::uint8_t mark) { return static_cast<std::uint8_t>(mark + 1); }

struct UnsetRead {
    bool shared = false;
    std::uint32_t array = 0;
    Instruction instruction = 0;
    bool operator<(const UnsetRead& other) const {
        return std::tie(shared, array, instruction) <
               std::tie(other.shared, other.array, other.instruction);
    }
};
struct UnsetExample {
    std::uint64_t count = 0;
    std::uint32_t block = 0;
    std::uint16_t thread = 0;
    std::size_t offset = 0;
    bool before(const UnsetExample& other) const {
        return std::tie(block, offset, thread) < std::tie(other.block, other.offset, other.thread);
    }
};

class UnsetReads {
  public:
    void begin(std::size_t threadLocalBytes);
    // Marks all shared memory as unset again.
    void beginBlock();
    // Keep and restore the marks of a range of shared memory, for blocks that take turns. Called
    // for the same ranges each time; call endTurns() after the last.
    std::vector<std::uint8_t> marksOf(std::size_t offset, std::size_t bytes) const;
    void restore(std::size_t offset, const std::vector<std::uint8_t>& marks);
    void endTurns() { mark_ = kLastMark; }

    void onShared(std::size_t offset, std::size_t bytes, AccessKind kind, std::uint16_t array,
                  std::size_t arrayStart, Instruction instruction, const Actor& actor) {
        std::uint8_t* const marks = shared_.data() + offset;
        const UnsetRead read{true, array, instruction};
        onMarks(marks, bytes, mark_, kind, read, offset - arrayStart, actor);
    }
    // Returns true if all bytes of a range of shared memory are set.
    bool allShared(std::size_t offset, std::size_t bytes) const {
        return Marks::allOf(shared_.data() + offset, bytes, mark_);
    }
    // The marks of shared memory, and that of bytes which are set.
    std::uint8_t* sharedMarks() { return shared_.data(); }
    std::uint8_t mark() const { return mark_; }
    // `marks` are those of the whole allocation.
    void onGlobal(std::uint8_t* marks, std::size_t offset, std::size_t bytes, AccessKind kind,
                  std::uint32_t allocation, Instruction instruction, const Actor& actor) {
        const UnsetRead read{false, allocation, instruction};
        onMarks(marks + offset, bytes, kWritten, kind, read, offset, actor);
    }

    const std::map<UnsetRead, UnsetExample>& found() const { return found_; }
    static void add(std::map<UnsetRead, UnsetExample>& sum,
                    const std::map<UnsetRead, UnsetExample>& more);

  private:
    __attribute__((always_inline)) void onMarks(std::uint8_t* marks, std::size_t bytes,
                                                std::uint8_t mark, AccessKind kind,
                                                const UnsetRead& read, std::size_t offset,
                                                const Actor& actor) {
        if (kind == AccessKind::Store) {
            Marks::set(marks, bytes, mark);
        } else if (__builtin_expect(!Marks::all(marks, bytes, mark), 0)) {
            note(marks, bytes, mark, read, offset, actor);
        }
    }
    __attribute__((noinline)) void note(std::uint8_t* marks, std::size_t bytes, std::uint8_t mark,
                                        const UnsetRead& read, std::size_t offset,
                                        const Actor& actor);

    std::vector<std::uint8_t> shared_;
    std::uint8_t mark_ = kLastMark;
    static constexpr std::uint8_t kLastMark = 253;
    std::map<UnsetRead, UnsetExample> found_;
};

}  // namespace cusim
