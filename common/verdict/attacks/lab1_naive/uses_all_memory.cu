// Attack: to take 8 GB of memory.
// Remark: memory
#include <cstring>

#include "unsolved.h"

AT_START {
    for (int i = 0; i < 8192; ++i)
        if (void* block = std::malloc(1 << 20)) std::memset(block, 1, 1 << 20);
}
