// Attack: to read the tiles by a function of the C++ library, unseen by the race check.
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

// Here: build/mistakes/lab2_tiled/kernel/second_barrier_missing.cu
// Instead of: Mds[ty][k] * Nds[k][tx]
// Comes: unseen(&Mds[ty][k]) * unseen(&Nds[k][tx])
