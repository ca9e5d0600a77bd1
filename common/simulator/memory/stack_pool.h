// Stacks for simulated threads. A guard below each catches an overflow, which would otherwise
// overwrite the next stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cusim {

class StackPool {
  public:
    // Takes physical memory only for the pages that a kernel touches.
    static constexpr std::size_t kStackBytes = std::size_t{256} * 1024;
    // On arm64 compilers probe the stack only every 64 KiB, and pages may be as large.
    static constexpr std::size_t kGuardBytes = std::size_t{64} * 1024;

    // Bytes at the top in which unset variables read the same on every run (see unset.h).
    static constexpr std::size_t kClearedBytes = std::size_t{16} * 1024;
    static constexpr std::size_t kLeastCleared = 1024;

    struct Stack {
        std::uintptr_t low;  // first usable byte
        std::uintptr_t top;  // one past the last byte given to the thread
    };
    // A pool among many has no guards: without guard marks, a system has too few mappings for them.
    explicit StackPool(bool amongMany = false) : guarded_(!amongMany) {}
    ~StackPool();
    StackPool(const StackPool&) = delete;
    StackPool& operator=(const StackPool&) = delete;

    const Stack& at(std::size_t index);

    // Clears from `bytes` below the top up to the caller, which runs on this stack, and at least
    // the room for a usual kernel's local variables, however much the frames above them take.
    static void clear(const Stack& stack, std::size_t bytes);
    // Clears the top of a stack on which nothing runs.
    static void clearUnused(const Stack& stack);

  private:
    static constexpr std::size_t kAtOnce = 32, kEach = kGuardBytes + kStackBytes;
    void addStacks();

    bool guarded_;
    std::vector<void*> ranges_;

    std::vector<Stack> stacks_;
};

}  // namespace cusim
