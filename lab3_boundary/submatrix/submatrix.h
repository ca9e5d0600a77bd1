// What submatrix.cu defines. The pointers are host pointers, to the first element of a part; ldm,
// ldn and ldp are the leading dimensions of the matrices that the parts lie in.
#pragma once

// Row by row: element (r, c) of M is at M[r * ldm + c].
void subMatrixMul(const float* M, int ldm, const float* N, int ldn, float* P, int ldp, int j, int k,
                  int l);

// Column by column: element (r, c) of M is at M[r + c * ldm].
void columnMajorMatrixMul(const float* M, int ldm, const float* N, int ldn, float* P, int ldp,
                          int j, int k, int l);
