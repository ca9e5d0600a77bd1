// The build's pass (hear.py) makes a .cu file call these functions before accesses for which g++
// wrote no hook, such as those of structures by value, and before calls by a pointer. Only on
// x86-64.
#include <cstring>

#include "simulator/engine/block_runner.h"
#include "simulator/findings/source_lines.h"
#include "simulator/hooks/hooks.h"

#ifdef __x86_64__

// Both are called with an address in %rdi and a word on the stack, which they pop. They change no
// register and no flag, because the compiler expects no call there. For an access the word is 4 *
// bytes + 2 * (the address is one of thread-local memory) + (it is a store); for a call by a
// pointer it is the address of a list of functions.
__asm__(R"(
        .macro told name, teller
        .globl \name
        .type \name, @function
\name:
        pushq %rbp
        movq %rsp, %rbp
        pushfq
        .irp register, rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11
        pushq %\register
        .endr
        subq $256, %rsp
        andq $-16, %rsp
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movups %xmm\n, 16*\n(%rsp)
        .endr
        movq 16(%rbp), %rsi
        movq 8(%rbp), %rdx
        call \teller
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        movups 16*\n(%rsp), %xmm\n
        .endr
        leaq -80(%rbp), %rsp
        .irp register, r11, r10, r9, r8, rdi, rsi, rdx, rcx, rax
        popq %\register
        .endr
        popfq
        popq %rbp
        ret $8
        .size \name, .-\name
        .endm
        .text
        told cusimMemHeard, cusimMemToldAccess
        told cusimMemCalled, cusimMemToldCall
)");

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

void cusimMemToldAccess(const char* address, std::size_t what, const void* place) {
    using cusim::AccessKind;
    if (what & 2) address += reinterpret_cast<std::size_t>(__builtin_thread_pointer());
    cusim::unannounced(address, what >> 2, what & 1 ? AccessKind::Store : AccessKind::Load, place);
}
// Allows a kernel to call only functions whose address its file takes; `functions` ends in a null
// pointer.
void cusimMemToldCall(const void* called, const void* const* functions, const void* place) {
    if (!cusimWorker || !called) return;
    while (*functions && *functions != called) ++functions;
    if (!*functions)
        cusimWorker->runner->fail(
            {"illegal-address", "the kernel calls an address that is not the start of a function",
             cusim::placeOf(place), "Call a function by its name, or by a pointer to it."});
}
// Copies and fills of which each byte has already been reported.
void* cusimMemCopied(void* target, const void* source, std::size_t bytes) {
    return std::memcpy(target, source, bytes);
}
void* cusimMemCleared(void* target, int value, std::size_t bytes) {
    return std::memset(target, value, bytes);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

#endif
