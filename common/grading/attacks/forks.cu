// Tries: to go on in another process, which nobody waits for.
// Gets: refused: uses fork: it starts another process
#include <unistd.h>

#include "unsolved.h"

struct AtStart {
    AtStart() {
        // A check of mine must not take the machine down, should it ever get through.
        int children = 0;
        while (children < 200 && fork() > 0) ++children;
    }
} atStart;
