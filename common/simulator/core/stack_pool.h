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

    struct Stack {
        std::uintptr_t low;  // first usable byte
        std::uintptr_t top;  // one past the last byte given to the thread
    };
    const Stack& at(std::size_t index);

  private:
    std::vector<Stack> stacks_;
};

}  // namespace cusim
