// Tries: to have a library of its own loaded into the programs that come.
// Gets: refused: uses setenv: it changes the environment of the tests
#include "unsolved.h"

AT_START { setenv("LD_PRELOAD", "/tmp/mine.so", 1); }
