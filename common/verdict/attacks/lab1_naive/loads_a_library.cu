// Attack: to load a library of its own.
// Remark: looks for code
#include <dlfcn.h>

#include "unsolved.h"

AT_START { dlopen("/tmp/mine.so", RTLD_NOW); }
