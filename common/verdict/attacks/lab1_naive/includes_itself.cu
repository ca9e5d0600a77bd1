// Attack: to have the compiler read its own file without end.
// Remark: #include names a file that is not beside it
#include "unsolved.h"
#include __FILE__
