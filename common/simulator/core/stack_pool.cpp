#include "simulator/core/stack_pool.h"

#include <sys/mman.h>

#include "simulator/core/faults.h"

namespace cusim {

const StackPool::Stack& StackPool::at(std::size_t index) {
    while (stacks_.size() <= index) {
        void* const range = mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range == MAP_FAILED || mprotect(range, kGuardBytes, PROT_NONE) != 0)
            giveUp("no memory for the stacks of the threads of a block");
        const auto low = reinterpret_cast<std::uintptr_t>(range) + kGuardBytes;
        // Staggered, so that the tops of all stacks do not fall into the same cache set.
        const std::size_t stagger = stacks_.size() % 32 * 128;
        stacks_.push_back({low, low + kStackBytes - stagger});
    }
    return stacks_[index];
}

}  // namespace cusim
