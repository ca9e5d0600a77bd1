// Attack: to have the compiler wait for input.
// Remark: includes a file
#include "/dev/stdin"
#include "unsolved.h"
