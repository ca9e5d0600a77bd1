// Attack: to have what was found forgotten.
// Remark: belongs to the simulated device
#include "unsolved.h"

namespace cusim {
void reset();
}

struct AtEnd {
    ~AtEnd() { cusim::reset(); }
} atEnd;
