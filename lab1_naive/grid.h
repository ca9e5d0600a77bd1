// Grids that cover matrices.
#pragma once

#include <cuda_runtime.h>

inline unsigned blocksFor(int elements, unsigned threads) {
    return (static_cast<unsigned>(elements) + threads - 1) / threads;
}

// Returns the smallest grid that covers a rows x cols matrix; `inOneDimension` one whose threads
// all lie along x.
inline dim3 gridFor(int rows, int cols, dim3 block, bool inOneDimension = false) {
    if (inOneDimension) return blocksFor(rows * cols, block.x);
    return dim3(blocksFor(cols, block.x), blocksFor(rows, block.y));
}
