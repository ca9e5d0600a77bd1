#pragma once

#include <cstdlib>

// The TILE_WIDTH that kernel.cu is compiled with: make hands the same value to the compiler and to
// the programs that it starts; 16 where there is none, as in kernel.cu.
inline int tileWidth() {
    const char* const given = std::getenv("TILE_WIDTH");
    return given && *given ? std::atoi(given) : 16;
}
