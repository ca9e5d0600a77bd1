// Attack: to end the program by a terminate handler of its own.
// Remark: as if all were well
#include <exception>

#include "unsolved.h"

AT_START {
    std::set_terminate([] { std::_Exit(0); });
    std::terminate();
}
