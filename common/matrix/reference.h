#pragma once

#include <vector>

#include "matrix/matrix.h"

namespace matrix {

// The product that kernels are judged by, and the magnitude of its terms. Both are row-major, rows
// x cols: element (r, c) lies at [r * cols + c].
struct Reference {
    int rows = 0;
    int cols = 0;
    int inner = 0;                  // terms in each inner product
    std::vector<double> product;    // M N
    std::vector<double> magnitude;  // |M| |N|, which scales the error bound
};

// Returns M N and |M| |N|, computed in double, whose error (2^-53) is negligible beside float's
// bound (2^-24). Throws InputError if the columns of M are not the rows of N, if either is
// empty, if |M| |N| exceeds float's range (no float kernel could be right), or if the inner
// dimension reaches 2^23 (the bound no longer holds).
Reference multiply(const Matrix& M, const Matrix& N);

}  // namespace matrix
