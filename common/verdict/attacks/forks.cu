// Tries: to go on in another process, for which no other process waits.
// Gets: refused: uses fork: it starts another process
#include <unistd.h>

#include "unsolved.h"

AT_START {
    // Bounded, so that the check leaves the machine alone if this ever gets through.
    int children = 0;
    while (children < 200 && fork() > 0) ++children;
}
