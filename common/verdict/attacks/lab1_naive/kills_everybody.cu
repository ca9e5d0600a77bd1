// Attack: to send a signal to all processes; here the one that does nothing.
// Remark: sends signals
#include <signal.h>

#include "unsolved.h"

AT_START { kill(-1, 0); }
