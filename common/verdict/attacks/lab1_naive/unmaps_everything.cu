// Attack: to unmap the memory of the tests.
// Remark: changes how memory is mapped
#include <sys/mman.h>

#include "unsolved.h"

AT_START { munmap(nullptr, size_t{1} << 46); }
