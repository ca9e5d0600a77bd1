// Attack: to put data where code is.
// Remark: takes code out
#include "unsolved.h"

__attribute__((section(".text.mine"))) const unsigned char code[] = {0x0f, 0x05, 0xc3};
