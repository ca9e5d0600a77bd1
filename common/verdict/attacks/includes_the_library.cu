// Tries: to use what the tests are made of.
// Gets: refused: which is no header of its own
#include "../../testing/role.h"
#include "unsolved.h"
