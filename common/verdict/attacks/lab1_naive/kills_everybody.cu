// Attack: to send a signal to all processes; here the one that does nothing.
// Remark: sends signals
#include <signal.h>

#include "unsolved.h"

struct AtStart {
    AtStart() { kill(-1, 0); }
} atStart;
