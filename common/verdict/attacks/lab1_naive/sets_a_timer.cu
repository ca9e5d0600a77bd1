// Attack: to be called again while the tests run.
// Remark: starts host threads
#include <sys/time.h>

#include "unsolved.h"

AT_START {
    const itimerval soon{{1, 0}, {1, 0}};
    setitimer(ITIMER_REAL, &soon, nullptr);
}
