// Attack: to learn whether another student has handed in a file, by a name that is put together.
// Remark: computes with more than numbers and its own macros
// Never: it_is_there
#define JOINED(a, b) a##b
#define ASKED(file) JOINED(__has_, include)(file)
#if ASKED("VICTIMS_FILE")
#error it_is_there
#endif
#include "unsolved.h"
