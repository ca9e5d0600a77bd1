// Tries: to find a function that it may not name.
// Gets: refused: uses dlsym: it looks for code that it was not linked with
#include <dlfcn.h>

#include "unsolved.h"

AT_START { reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "fork"))(); }
