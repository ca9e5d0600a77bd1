// Declares the functions of hazards.cu; all pointers are host pointers, all matrices row-major.
#pragma once

// Returns the width of the tiles that the file was compiled with.
int tileWidth();

// Computes out = in + 2 x transposed + 4 x turned, on tileWidth() x tileWidth() numbers in one
// block.
void fourQuestions(const float* in, float* out);

// Transposes each BLOCK_WIDTH x BLOCK_WIDTH square of A in place.
void blockTranspose(float* A, int rows, int cols, int BLOCK_WIDTH);

// Divides each column of A by the sum of its absolute values, into B.
void normalizeColumns(const float* A, float* B, int rows, int cols);

// Computes P = M x N; Width is a multiple of tileWidth().
void draftMatrixMul(const float* M, const float* N, float* P, int Width);

// Moves each of 64 numbers to its right neighbour's place, unless the race changes the result.
void racyRotate(const float* in, float* out);
