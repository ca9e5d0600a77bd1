// Tries: to find a function that it may not name.
// Gets: refused: uses dlsym: it looks for code that it was not linked with
#include <dlfcn.h>

#include "unsolved.h"

struct AtStart {
    AtStart() { reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "fork"))(); }
} atStart;
