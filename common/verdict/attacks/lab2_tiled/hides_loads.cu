// Attack: to load without tiles, by a function of the C++ library that is not counted.
// Remark: kernel code calls std::
#include <cuda_runtime.h>
#include <string>

// The library reads the element, not this file's code.
__device__ float unseen(const float* element) {
    const std::wstring word(reinterpret_cast<const wchar_t*>(element), 1);
    float value;
    memcpy(&value, word.data(), sizeof value);
    return value;
}

// Here: build/mistakes/lab2_tiled/kernel/no_tiling.cu
// Instead of: M[Row * Width + ph * TILE_WIDTH + k] * N[(ph * TILE_WIDTH + k) * Width + Col]
// Comes: unseen(&M[Row * Width + ph * TILE_WIDTH + k]) * unseen(&N[(ph * TILE_WIDTH + k) * Width + Col])
