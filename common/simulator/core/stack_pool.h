// Stacks for simulated threads: each with a guard page below it, so that an overflow is caught
// and not written into a neighbour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cusim {

class StackPool {
  public:
    // Physical memory is taken only for the pages that a kernel touches.
    static constexpr std::size_t kStackBytes = std::size_t{256} * 1024;
    static constexpr std::size_t kGuardBytes = 4096;

    // Of these at the top a thread finds what is not set the same on every run (see unset.h).
    static constexpr std::size_t kClearedBytes = std::size_t{16} * 1024;

    struct Stack {
        std::uintptr_t low;  // first usable byte
        std::uintptr_t top;  // one past the last byte given to the thread
    };
    const Stack& at(std::size_t index);

    // From `bytes` below the top up to the caller, who lies on this stack.
    static void clear(const Stack& stack, std::size_t bytes);
    // A stack that nobody is on.
    static void clearUnused(const Stack& stack);

  private:
    std::vector<Stack> stacks_;
};

}  // namespace cusim
