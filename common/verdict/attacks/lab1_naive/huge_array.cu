// Attack: to have the compiler write 4 GB.
// Remark: when it was compiled
#include "unsolved.h"

int array[1 << 30] = {1};
