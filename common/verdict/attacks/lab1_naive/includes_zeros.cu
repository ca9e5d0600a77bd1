// Attack: to have the compiler read without end.
// Remark: includes a file
#include "/dev/zero"
#include "unsolved.h"
