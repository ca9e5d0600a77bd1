// Attack: to run a command.
// Remark: starts another process
#include "unsolved.h"

AT_START { std::system("echo 17 passed, 0 failed"); }
