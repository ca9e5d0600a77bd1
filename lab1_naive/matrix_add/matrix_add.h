// Declares the functions of matrix_add.cu. All matrices are rows x cols, row-major; matrixAdd takes
// host pointers, the kernel device pointers.
#pragma once

void matrixAddKernel(const float* A, const float* B, float* C, int rows, int cols);
void matrixAdd(const float* A, const float* B, float* C, int rows, int cols);
