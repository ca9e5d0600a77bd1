// Declares the function of kernel.cu. All matrices are Width x Width, row-major; Width is a
// multiple of TILE_WIDTH. The pointers are host pointers.
#pragma once

void tiledMatrixMul(const float* M, const float* N, float* P, int Width);
