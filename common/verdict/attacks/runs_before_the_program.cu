// Tries: to run before anything guards the program.
// Gets: refused: 'section' takes code out
#include "unsolved.h"

static void first() {}
__attribute__((section(".preinit_array"), used)) static void (*atStart)() = first;
