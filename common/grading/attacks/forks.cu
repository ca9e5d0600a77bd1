// Tries: to go on in another process, which nobody waits for.
// Gets: refused: uses fork: it starts another process
#include <unistd.h>

#include "unsolved.h"

struct AtStart {
    AtStart() {
        while (fork() >= 0) {
        }
    }
} atStart;
