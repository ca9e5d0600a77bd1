// Tries: to make all memory equal.
// Gets: refused: defines memcmp, which the system's libraries define
#include <cstddef>

#include "unsolved.h"

extern "C" int memcmp(const void*, const void*, size_t) noexcept { return 0; }
