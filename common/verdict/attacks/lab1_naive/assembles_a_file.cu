// Attack: to bring a file's bytes along, by the assembler.
// Remark: contains assembly
#include "unsolved.h"

asm(".section .rodata\n.incbin \"/etc/passwd\"\n");
