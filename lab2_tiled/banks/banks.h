// Declares the functions of banks.cu; all pointers are host pointers, all matrices row-major.
#pragma once

// Fills out with 0 1 2 ... 31, by way of a column of a shared array with rows of rowWords words.
void column(float* out, int rowWords);

// Transposes A, rows x cols, into B, cols x rows; rows and cols are multiples of 32.
void transpose(const float* A, float* B, int rows, int cols);

// Multiplies each row of A, rows x 32, by its first element into B; rows is a multiple of 32.
void scaleRows(const float* A, float* B, int rows);
