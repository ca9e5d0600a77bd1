// Attack: to have the compiler read its own file without end.
// Remark: includes what a macro names
#include "unsolved.h"
#include __FILE__
