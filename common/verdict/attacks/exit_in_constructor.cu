// Tries: to end the program with status 0 before the tests begin.
// Gets: failed: the program ended before it came to this test
// Remark: the program ended before the tests
#include "unsolved.h"

AT_START { std::exit(0); }
