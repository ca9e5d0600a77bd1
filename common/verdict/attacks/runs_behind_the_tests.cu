// Tries: to run in the recording process, when its tests have ended.
// Gets: failed: TODO
#include "unsolved.h"

__attribute__((destructor)) void behind() { fprintf(stderr, "runs behind the tests\n"); }
