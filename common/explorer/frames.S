// A kernel calls these instead of each function of FRAMED: they record the frame of the calling
// function for observers/recording.h, and continue in the function itself. Linked with --wrap, only
// into programs whose runs are recorded.
#ifdef __x86_64__
        .irp name, FRAMED
        .globl __wrap_\name
        .type __wrap_\name, @function
__wrap_\name:
        movq %rbp, cusimCaller(%rip)
        movq %rsp, cusimCaller+8(%rip)
        pushq (%rsp)
        popq cusimCaller+16(%rip)
        jmp __real_\name
        .size __wrap_\name, .-__wrap_\name
        .endr
#else
        .irp name, FRAMED
        .globl __wrap_\name
        .type __wrap_\name, %function
__wrap_\name:
        adrp x16, cusimCaller
        add x16, x16, :lo12:cusimCaller
        mov x17, sp
        stp x29, x17, [x16]
        str x30, [x16, 16]
        b __real_\name
        .size __wrap_\name, .-__wrap_\name
        .endr
#endif
        .section .note.GNU-stack, "", %progbits
