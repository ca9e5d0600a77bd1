// Attack: to have what was found forgotten.
// Remark: adds to what belongs
#include "unsolved.h"

namespace cusim {
void reset();
}

struct AtEnd {
    ~AtEnd() { cusim::reset(); }
} atEnd;
