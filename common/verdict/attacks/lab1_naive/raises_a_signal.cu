// Attack: to end the program by a signal.
// Remark: sends signals
#include <csignal>

#include "unsolved.h"

struct AtStart {
    AtStart() { std::raise(SIGKILL); }
} atStart;
