// What hazards.cu defines; all pointers are host pointers, all matrices row-major.
#pragma once

// The width of the tiles that the file was compiled with.
int tileWidth();

// tileWidth() x tileWidth() numbers in one block: out is in + 2 x transposed + 4 x turned.
void fourQuestions(const float* in, float* out);

// Transposes each BLOCK_WIDTH x BLOCK_WIDTH square of A in place.
void blockTranspose(float* A, int rows, int cols, int BLOCK_WIDTH);

// B is A with each column divided by the sum of its absolute values.
void normalizeColumns(const float* A, float* B, int rows, int cols);

// P = M x N; Width is a multiple of tileWidth().
void draftMatrixMul(const float* M, const float* N, float* P, int Width);

// 64 numbers, each of which takes its right neighbour's place, unless the race decides otherwise.
void racyRotate(const float* in, float* out);
