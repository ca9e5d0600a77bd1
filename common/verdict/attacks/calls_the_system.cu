// Tries: to make a system call by an instruction of its own.
// Gets: refused: 'asm' takes code out
#include "unsolved.h"

#define JOINED(a, b) a##b

AT_START {
    long result;
    JOINED(as, m) volatile("syscall" : "=a"(result) : "0"(57) : "rcx", "r11", "memory");
}
