// Random numbers by MurmurHash3's finalizer on the index.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bench {

#ifdef __CUDACC__
__device__ inline std::uint32_t scramble(std::size_t i, std::uint32_t seed) {
    std::uint32_t x = static_cast<std::uint32_t>(i) * 2654435761u + seed;
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
}
#endif

// Fills device memory evenly from -1 to 1.
void fillFractions(float* values, std::size_t count, std::uint32_t seed);

}  // namespace bench
