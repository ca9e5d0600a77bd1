// Attack: to answer the guard's signal itself.
// Remark: changes what happens on a signal
#include <csignal>

#include "unsolved.h"

AT_START { std::signal(SIGSYS, SIG_IGN); }
