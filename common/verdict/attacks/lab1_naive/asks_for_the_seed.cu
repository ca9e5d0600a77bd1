// Attack: to read the seed of the data.
// Remark: reads or changes the environment
#include "unsolved.h"

AT_START {
    const char* const seed = std::getenv("LAB_SEED");
    std::puts(seed ? seed : "none");
}
