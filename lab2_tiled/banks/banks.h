// What banks.cu defines; all pointers are host pointers, all matrices row-major.
#pragma once

// 0 1 2 ... 31, by way of a column of a shared array whose rows are rowWords wide.
void column(float* out, int rowWords);

// B, cols x rows, is A, rows x cols, transposed; both are multiples of 32.
void transpose(const float* A, float* B, int rows, int cols);

// B is A, rows x 32, with each row multiplied by its first element; rows is a multiple of 32.
void scaleRows(const float* A, float* B, int rows);
