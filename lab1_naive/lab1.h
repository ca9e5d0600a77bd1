// What kernel.cu defines. All matrices are square, Width x Width, row-major; pointers of matrixMul
// are host pointers, those of the kernel device pointers.
#pragma once

void matrixMulKernel(const float* M, const float* N, float* P, int Width);
void matrixMul(const float* M, const float* N, float* P, int Width);
