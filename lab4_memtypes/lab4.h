// Declares the functions of kernel.cu. All matrices are Width x Width, row-major; the pointers are
// host pointers. A tile is tileWidth x tileWidth; tileWidth is a multiple of 16.
#pragma once

#include <cuda_runtime.h>

// Returns the largest tile width that this device allows.
int chooseTileWidth(const cudaDeviceProp& device);

void matrixMulWithTile(const float* M, const float* N, float* P, int Width, int tileWidth);

// Computes P = M N with the tile width that fits the current device.
void dynamicMatrixMul(const float* M, const float* N, float* P, int Width);
