// Declares the functions of pipeline.cu. M, N and P = M x N are Width x Width, row-major; Width is
// a multiple of 16. The pointers are host pointers.
#pragma once

using Multiply = void(const float* M, const float* N, float* P, int Width);

Multiply doubleBufferMatrixMul;  // step 1: two pairs of tiles
Multiply asyncMatrixMul;         // step 2: asynchronous copies
