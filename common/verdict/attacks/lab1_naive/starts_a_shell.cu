// Attack: to run a command.
// Remark: starts another process
#include <cstdlib>

#include "unsolved.h"

struct AtStart {
    AtStart() { std::system("echo 17 passed, 0 failed"); }
} atStart;
