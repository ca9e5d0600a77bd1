// Threads and blocks by their three coordinates.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/include/cusim/vector_types.h"
#include "text/joined.h"

namespace cusim {

// Returns the position of a linear index in a grid or block of this extent; x runs fastest.
inline uint3 position(std::uint64_t linear, const dim3& extent) {
    return {static_cast<unsigned>(linear % extent.x),
            static_cast<unsigned>(linear / extent.x % extent.y),
            static_cast<unsigned>(linear / extent.x / extent.y)};
}

// Returns, for example, "(0,1,0)".
inline std::string coordinates(const uint3& at) {
    return words::joined("(", at.x, ",", at.y, ",", at.z, ")");
}
inline std::string coordinates(std::uint64_t linear, const dim3& extent) {
    return coordinates(position(linear, extent));
}

}  // namespace cusim
