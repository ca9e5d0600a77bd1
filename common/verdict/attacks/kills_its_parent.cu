// Tries: to end the grader.
// Gets: refused: uses kill: it sends signals
#include <signal.h>
#include <unistd.h>

#include "unsolved.h"

struct AtStart {
    AtStart() { kill(getppid(), SIGKILL); }
} atStart;
