// Attack: to bring code along, by the assembler.
// Remark: contains assembly
#include "unsolved.h"

asm(".section .rodata\n.incbin \"/dev/null\"\n");
