// Attack: to learn whether another student has handed in a file.
// Remark: asks for a file that is not beside it
// Never: it_is_there
#define FILE "VICTIMS_FILE"
#if __has_include(FILE)
#error it_is_there
#endif
#include "unsolved.h"
