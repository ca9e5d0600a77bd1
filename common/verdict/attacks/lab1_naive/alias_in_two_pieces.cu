// Attack: to have an attribute stand on another line than its word.
// Remark: takes code out
#include "unsolved.h"

extern "C" void other(const float*, const float*, float*, int)
    __attribute__((alias("_Z9matrixMulPKfS0_Pfi")));
