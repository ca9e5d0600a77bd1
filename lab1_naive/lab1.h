// Declares the functions of kernel.cu. All matrices are Width x Width, row-major; matrixMul takes
// host pointers, the kernel device pointers.
#pragma once

void matrixMulKernel(const float* M, const float* N, float* P, int Width);
void matrixMul(const float* M, const float* N, float* P, int Width);
