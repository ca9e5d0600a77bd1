#pragma once

#include <cstdlib>

namespace testing {

// The TILE_WIDTH that the .cu file is compiled with: make hands the same value to the compiler and
// to the programs that it starts; 16 where there is none, as in the file.
inline int chosenTileWidth() {
    const char* const given = std::getenv("TILE_WIDTH");
    return given && *given ? std::atoi(given) : 16;
}

}  // namespace testing
