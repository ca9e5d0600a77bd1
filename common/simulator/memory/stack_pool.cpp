#include "simulator/memory/stack_pool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "simulator/findings/give_up.h"
#include "simulator/memory/unset.h"

namespace cusim {
namespace {

// Clears 16 bytes at once. Inlined without a call, whose return address would lie in the range.
__attribute__((always_inline)) inline void clearRange(std::uintptr_t from, std::uintptr_t to) {
    typedef std::uint32_t Words __attribute__((vector_size(16), may_alias));
    const Words unset = {kUnsetLocalWord, kUnsetLocalWord, kUnsetLocalWord, kUnsetLocalWord};
    for (from &= ~std::uintptr_t{63}; from + 64 <= to; from += 64) {
        auto* const line = reinterpret_cast<Words*>(from);
        line[0] = unset;
        line[1] = unset;
        line[2] = unset;
        line[3] = unset;
    }
    for (; from + 16 <= to; from += 16) *reinterpret_cast<Words*>(from) = unset;
}

// Makes an access to the lowest pages of a stack fail. Linux 6.13 can mark them without a mapping
// of their own, which makes fork() cheaper. access() tests whether it has, because qemu reports
// success for all advice.
bool guard(void* stack) {
    constexpr int kGuardInstall = 102;  // MADV_GUARD_INSTALL
    const auto* const page = static_cast<const char*>(stack);
    static const bool marks = madvise(stack, StackPool::kGuardBytes, kGuardInstall) == 0 &&
                              access(page, F_OK) != 0 && errno == EFAULT;
    if (marks) return madvise(stack, StackPool::kGuardBytes, kGuardInstall) == 0;
    return mprotect(stack, StackPool::kGuardBytes, PROT_NONE) == 0;
}

}  // namespace

// Does not clear the bytes between its own frame and the caller's: the frames that call a kernel
// take more, so no local variable of a kernel is there.
__attribute__((noinline)) void StackPool::clear(const Stack& stack, std::size_t bytes) {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - 32;
    clearRange(std::min(stack.top - bytes, here - kLeastCleared), here);
}

void StackPool::clearUnused(const Stack& stack) {
    clearRange(stack.top - kClearedBytes, stack.top);
}

const StackPool::Stack& StackPool::at(std::size_t index) {
    while (stacks_.size() <= index) addStacks();
    return stacks_[index];
}

StackPool::~StackPool() {
    for (void* const range : ranges_) munmap(range, kAtOnce * kEach);
}

// Maps several at once: one mapping for all makes fork() cheaper.
void StackPool::addStacks() {
    void* const range = mmap(nullptr, kAtOnce * kEach, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) giveUp("no memory for the stacks of the threads of a block");
    // A child process runs only host code; sharing these with it would cost one fault per page.
    madvise(range, kAtOnce * kEach, MADV_DONTFORK);
    ranges_.push_back(range);
    for (std::size_t i = 0; i < kAtOnce; ++i) {
        char* const stack = static_cast<char*>(range) + i * kEach;
        if (guarded_ && !guard(stack)) giveUp("no memory for the stacks of the threads of a block");
        const auto low = reinterpret_cast<std::uintptr_t>(stack) + kGuardBytes;
        // Staggering keeps the tops of all stacks out of one cache set. A fiber begins at a
        // multiple of 256 bytes, so each is at the same distance from its top.
        stacks_.push_back({low, low + kStackBytes - i * 256});
    }
}

}  // namespace cusim
