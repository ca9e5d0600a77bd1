// Stands between a kernel and each function of FRAMED: notes the frame of the kernel's function
// that calls, for observers/recording.h, and goes on to the function that is meant. Linked with
// --wrap into the programs that a run is recorded of, and into no other.
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
