#pragma once

#include <cstdlib>

namespace testing {

// Returns the TILE_WIDTH with which the .cu file was compiled. make passes the same value to the
// compiler and, in the environment, to programs; without one the file's own default is 16.
inline int chosenTileWidth() {
    const char* const given = std::getenv("TILE_WIDTH");
    return given && *given ? std::atoi(given) : 16;
}

}  // namespace testing
