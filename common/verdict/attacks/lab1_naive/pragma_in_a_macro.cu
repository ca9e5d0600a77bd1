// Attack: to switch the compiler's options by _Pragma.
// Remark: takes code out
#define DO_IT _Pragma("GCC optimize (\"O3,no-sanitize=thread\")")
DO_IT
#include "unsolved.h"
