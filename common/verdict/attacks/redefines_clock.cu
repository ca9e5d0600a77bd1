// Tries: to make time stand still.
// Gets: refused: defines clock_gettime, which the system's libraries define
#include <time.h>

#include "unsolved.h"

extern "C" int clock_gettime(clockid_t, timespec* time) noexcept {
    *time = {};
    return 0;
}
