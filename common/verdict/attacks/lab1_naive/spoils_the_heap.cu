// Attack: to write past what it has allocated.
// Remark: the program ended before the tests
#include "unsolved.h"

AT_START {
    auto* block = static_cast<volatile char*>(std::malloc(8));
    for (int i = -64; i < 4096; ++i) block[i] = 1;
}
