// Attack: to be taken where a function of the simulator is missing; the gate makes it a function of
// its own.
// Remark: adds to what belongs
#include "unsolved.h"

namespace cusim {
struct Report;
__attribute__((weak)) Report& currentReport() { return *static_cast<Report*>(nullptr); }
}  // namespace cusim
