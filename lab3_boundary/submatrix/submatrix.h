// Declares the functions of submatrix.cu. They take host pointers to the first element of a part;
// ldm, ldn and ldp are the leading dimensions of the whole matrices.
#pragma once

// Stores matrices row by row: element (r, c) of M is at M[r * ldm + c].
void subMatrixMul(const float* M, int ldm, const float* N, int ldn, float* P, int ldp, int j, int k,
                  int l);

// Stores matrices column by column: element (r, c) of M is at M[r + c * ldm].
void columnMajorMatrixMul(const float* M, int ldm, const float* N, int ldn, float* P, int ldp,
                          int j, int k, int l);
