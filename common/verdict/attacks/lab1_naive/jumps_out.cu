// Attack: to jump out of a test.
// Remark: jumps out of the test
#include <csetjmp>

#include "unsolved.h"

AT_START {
    static std::jmp_buf place;
    if (setjmp(place) == 0) std::longjmp(place, 1);
}
