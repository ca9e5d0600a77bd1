// Attack: to have the compiler read its own file without end.
// Remark: -
#include "unsolved.h"
#include __FILE__
