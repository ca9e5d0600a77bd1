// Attack: to see a file of the system in the compiler's errors.
// Remark: #include names a file that is not beside it
#include "/etc/passwd"
#include "unsolved.h"
