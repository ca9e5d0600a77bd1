// Tries: to use what the tests are made of.
// Gets: refused: #include names a file that is not beside it
#include "../../testing/role.h"
#include "unsolved.h"
