// Attack: to have what was found forgotten.
// Remark: takes code out
#include "unsolved.h"

namespace cusim {
void reset();
}

struct AtEnd {
    ~AtEnd() { cusim::reset(); }
} atEnd;
