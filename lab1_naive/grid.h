// Grids that cover matrices.
#pragma once

#include <cuda_runtime.h>

#include "testing/lab.h"

// Returns the smallest grid that covers a rows x cols matrix; `inOneDimension` one whose threads
// all lie along x.
inline dim3 gridFor(int rows, int cols, dim3 block, bool inOneDimension = false) {
    if (inOneDimension) return lab::tilesIn(rows * cols, block.x);
    return dim3(lab::tilesIn(cols, block.x), lab::tilesIn(rows, block.y));
}
