// Attack: to end the program by a signal.
// Remark: sends signals
#include <csignal>

#include "unsolved.h"

AT_START { std::raise(SIGKILL); }
