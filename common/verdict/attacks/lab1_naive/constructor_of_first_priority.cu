// Attack: to run before all other constructors.
// Remark: runs code before or after
#include "unsolved.h"

__attribute__((constructor(101))) static void first() { std::exit(0); }
