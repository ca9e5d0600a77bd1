// Attack: to compute without end before the tests begin.
// Remark: the program ended before the tests
#include "unsolved.h"

AT_START {
    for (volatile int i = 0;; i = i + 1) {
    }
}
