// What kernel.cu defines. All matrices are square, Width x Width, row-major; the pointers are host
// pointers. A tile is tileWidth x tileWidth, where tileWidth is a multiple of 16.
#pragma once

#include <cuda_runtime.h>

// The largest tile width that this device allows.
int chooseTileWidth(const cudaDeviceProp& device);

void matrixMulWithTile(const float* M, const float* N, float* P, int Width, int tileWidth);

// With the tile width that fits the device it runs on.
void dynamicMatrixMul(const float* M, const float* N, float* P, int Width);
