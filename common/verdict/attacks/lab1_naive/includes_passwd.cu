// Attack: to see a file of the system in the compiler's errors.
// Remark: includes a file
#include "/etc/passwd"
#include "unsolved.h"
