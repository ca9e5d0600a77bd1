// Attack: to run a command and read what it says.
// Remark: starts another process
#include "unsolved.h"

AT_START { popen("id", "r"); }
