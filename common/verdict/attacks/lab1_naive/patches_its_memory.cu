// Attack: to change code of its program by /proc/self/mem.
// Remark: opens files
#include "unsolved.h"

AT_START {
    if (FILE* memory = std::fopen("/proc/self/mem", "r+")) std::fputs("17 passed", memory);
}
