// Attack: to sleep before the tests begin, so that everybody waits.
// Remark: the program ended before the tests
#include <unistd.h>

#include "unsolved.h"

AT_START { sleep(300); }
