// Attack: to set the exit status, and to print a report, when the program ends.
// Remark: changes how the program ends
#include "unsolved.h"

AT_START {
    std::atexit([] {
        std::puts("17 passed, 0 failed");
        std::_Exit(0);
    });
}
