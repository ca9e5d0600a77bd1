// Attack: to write assembly by _Pragma and joined words.
// Remark: takes code out
#include "unsolved.h"
#define JOIN(a, b) a##b
#define WORD JOIN(__as, m__)

WORD(".globl matrixMulAlias\nmatrixMulAlias: ret\n");
