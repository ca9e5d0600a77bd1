// Tries: to end the grader.
// Gets: refused: uses kill: it sends signals
#include <signal.h>
#include <unistd.h>

#include "unsolved.h"

AT_START { kill(getppid(), SIGKILL); }
