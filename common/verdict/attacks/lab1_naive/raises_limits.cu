// Attack: to give itself more time and memory.
// Remark: changes what a process may do
#include <sys/resource.h>

#include "unsolved.h"

AT_START {
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_CPU, &none);
}
