// What the build's pass (hear.py) makes a .cu file call in front of accesses for which g++ wrote no
// hook: structures by value, what is built into the compiler. Exists for x86-64 alone.
#include <cstring>

#include "simulator/hooks/hooks.h"

#ifdef __x86_64__
// Called with the address in %rdi and 4 * bytes + 2 * (the address is one of thread-local memory) +
// (it is a store) on the stack, which it takes from there. Changes no register and no flag, as no
// compiler expects a call there.
__asm__(R"(
        .text
        .globl cusimMemHeard
        .type cusimMemHeard, @function
cusimMemHeard:
        pushq %rbp
        movq %rsp, %rbp
        pushfq
        pushq %rax
        pushq %rcx
        pushq %rdx
        pushq %rsi
        pushq %rdi
        pushq %r8
        pushq %r9
        pushq %r10
        pushq %r11
        subq $256, %rsp
        andq $-16, %rsp
        movups %xmm0, (%rsp)
        movups %xmm1, 16(%rsp)
        movups %xmm2, 32(%rsp)
        movups %xmm3, 48(%rsp)
        movups %xmm4, 64(%rsp)
        movups %xmm5, 80(%rsp)
        movups %xmm6, 96(%rsp)
        movups %xmm7, 112(%rsp)
        movups %xmm8, 128(%rsp)
        movups %xmm9, 144(%rsp)
        movups %xmm10, 160(%rsp)
        movups %xmm11, 176(%rsp)
        movups %xmm12, 192(%rsp)
        movups %xmm13, 208(%rsp)
        movups %xmm14, 224(%rsp)
        movups %xmm15, 240(%rsp)
        movq 16(%rbp), %rsi
        testb $2, %sil
        je 1f
        addq %fs:0, %rdi
1:      movq 8(%rbp), %rdx
        call cusimMemTold
        movups (%rsp), %xmm0
        movups 16(%rsp), %xmm1
        movups 32(%rsp), %xmm2
        movups 48(%rsp), %xmm3
        movups 64(%rsp), %xmm4
        movups 80(%rsp), %xmm5
        movups 96(%rsp), %xmm6
        movups 112(%rsp), %xmm7
        movups 128(%rsp), %xmm8
        movups 144(%rsp), %xmm9
        movups 160(%rsp), %xmm10
        movups 176(%rsp), %xmm11
        movups 192(%rsp), %xmm12
        movups 208(%rsp), %xmm13
        movups 224(%rsp), %xmm14
        movups 240(%rsp), %xmm15
        leaq -80(%rbp), %rsp
        popq %r11
        popq %r10
        popq %r9
        popq %r8
        popq %rdi
        popq %rsi
        popq %rdx
        popq %rcx
        popq %rax
        popfq
        popq %rbp
        ret $8
        .size cusimMemHeard, .-cusimMemHeard
)");
#endif

// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

void cusimMemTold(const void* address, std::size_t what, const void* place) {
    using cusim::AccessKind;
    cusim::unannounced(address, what >> 2, what & 1 ? AccessKind::Store : AccessKind::Load, place);
}
// Copies and fills whose every byte has been announced.
void* cusimMemCopied(void* target, const void* source, std::size_t bytes) {
    return std::memcpy(target, source, bytes);
}
void* cusimMemCleared(void* target, int value, std::size_t bytes) {
    return std::memset(target, value, bytes);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
