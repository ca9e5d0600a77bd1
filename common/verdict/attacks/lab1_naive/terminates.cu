// Attack: to end the program by a terminate handler of its own.
// Remark: as if all were well
#include <cstdlib>
#include <exception>

#include "unsolved.h"

struct AtStart {
    AtStart() {
        std::set_terminate([] { std::_Exit(0); });
        std::terminate();
    }
} atStart;
