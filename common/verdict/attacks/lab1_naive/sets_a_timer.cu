// Attack: to be called again while the tests run.
// Remark: starts host threads
#include <sys/time.h>

#include "unsolved.h"

struct AtStart {
    AtStart() {
        const itimerval soon{{1, 0}, {1, 0}};
        setitimer(ITIMER_REAL, &soon, nullptr);
    }
} atStart;
