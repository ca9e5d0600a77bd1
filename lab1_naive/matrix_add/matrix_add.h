// What matrix_add.cu defines. All matrices are rows x cols, row-major; pointers of matrixAdd are
// host pointers, those of the kernel device pointers.
#pragma once

void matrixAddKernel(const float* A, const float* B, float* C, int rows, int cols);
void matrixAdd(const float* A, const float* B, float* C, int rows, int cols);
