// Attack: to have the compiler read without end.
// Remark: #include names a file that is not beside it
#include "/dev/zero"
#include "unsolved.h"
