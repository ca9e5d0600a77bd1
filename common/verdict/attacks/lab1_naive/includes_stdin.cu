// Attack: to have the compiler wait for input.
// Remark: #include names a file that is not beside it
#include "/dev/stdin"
#include "unsolved.h"
