"""Stops kernels that call a function of the host by a pointer.

Only the running program shows which function a pointer names. So the gate puts stubs in the place
of such functions: on the host a stub goes on to the function; in a kernel it ends the kernel with a
finding (see hostOnly in common/simulator/hooks/host_only.cpp).
"""

import os
import platform
import subprocess

STUBS = {
    "x86_64": """
        .globl cusimStub_{n}
        .type cusimStub_{n}, @function
cusimStub_{n}:
        movq cusimWorker@gottpoff(%rip), %r11
        cmpq $0, %fs:(%r11)
        jne 1f
        jmp {symbol}@PLT
1:      leaq 2f(%rip), %rdi
        movq (%rsp), %rsi
        andq $-16, %rsp
        call cusimHostOnly@PLT
2:      .asciz "{name}"
""",
    "aarch64": """
        .globl cusimStub_{n}
        .type cusimStub_{n}, %function
        .balign 4
cusimStub_{n}:
        mrs x16, tpidr_el0
        adrp x17, :gottprel:cusimWorker
        ldr x17, [x17, :gottprel_lo12:cusimWorker]
        ldr x16, [x16, x17]
        cbnz x16, 1f
        b {symbol}
1:      adr x0, 2f
        mov x1, x30
        bl cusimHostOnly
2:      .asciz "{name}"
""",
}


def put_stubs(path, symbols, readable):
    """Makes the object reach these symbols through stubs; readable(symbol) returns a symbol's
    name."""
    pattern = STUBS[platform.machine()]
    text = "        .text\n"
    for n, symbol in enumerate(symbols):
        name = readable(symbol).replace("\\", "").replace('"', "")[:200]
        text += pattern.format(n=n, symbol=symbol, name=name)
    text += '        .section .note.GNU-stack, ""\n'
    renamed = [f"--redefine-sym={symbol}=cusimStub_{n}" for n, symbol in enumerate(symbols)]
    stubs, both = path + ".stubs", path + ".both"
    try:
        subprocess.run(["as", "-o", stubs], input=text, text=True, check=True)
        subprocess.run(["objcopy", *renamed, path], check=True)
        subprocess.run(["ld", "-r", path, stubs, "-o", both], check=True)
        os.replace(both, path)
    finally:
        for file in (stubs, both):
            if os.path.exists(file):
                os.remove(file)
