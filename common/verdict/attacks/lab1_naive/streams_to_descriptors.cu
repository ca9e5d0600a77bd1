// Attack: to open descriptors by their names in /dev.
// Remark: opens files
#include <fstream>
#include <string>

#include "unsolved.h"

AT_START {
    for (char last = '3'; last <= '9'; ++last)
        std::ofstream(std::string("/dev/fd/") + last) << "17 passed, 0 failed";
}
