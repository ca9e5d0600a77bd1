// Attack: to fill the disk, 1 GB at most.
// Remark: opens files
#include <fstream>
#include <string>

#include "unsolved.h"

AT_START {
    std::ofstream file("/tmp/large");
    for (int i = 0; file && i < 1000; ++i) file << std::string(1 << 20, 'x');
}
