// Tries: to open the record anew by its name in /proc.
// Gets: remark: to open a file for writing
#include "unsolved.h"

AT_START {
    for (int descriptor = 3; descriptor < 10; ++descriptor) {
        char name[40];
        std::snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
        if (FILE* record = std::fopen(name, "w")) std::fputs("17 passed, 0 failed\n", record);
    }
}
