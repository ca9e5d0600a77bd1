// Declares the functions of tensor.cu. M, N and P = M x N are Width x Width, row-major. Width is a
// multiple of 16, and in step 2 of 32. The pointers are host pointers.
#pragma once

// Rounds each element of A to the nearest half, and returns the halves as floats.
void roundToHalf(const float* A, float* rounded, int elements);

using Multiply = void(const float* M, const float* N, float* P, int Width);

Multiply warpTileMatrixMul;     // step 1: one warp per block
Multiply sharedTilesMatrixMul;  // step 2: four warps share tiles
