// Attack: to print 200 MB; the kernel is right, and gains nothing.
// Remark: printed more than
#include <cstdio>

// Here: solutions/lab1_naive/kernel.cu

struct AtStart {
    AtStart() {
        for (int line = 0; line < 2000000; ++line) {
            std::puts(
                "17 passed, 0 failed  17 passed, 0 failed  17 passed, 0 failed  17 passed, 0 "
                "failed  17 passed");
        }
    }
} atStart;
