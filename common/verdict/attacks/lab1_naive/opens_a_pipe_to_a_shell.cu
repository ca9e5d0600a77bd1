// Attack: to run a command and read what it says.
// Remark: starts another process
#include <cstdio>

#include "unsolved.h"

struct AtStart {
    AtStart() { popen("id", "r"); }
} atStart;
