// Attack: to end the tests by an exception before they begin.
// Remark: the program ended before the tests
#include <stdexcept>

#include "unsolved.h"

AT_START { throw std::runtime_error("17 passed, 0 failed"); }
