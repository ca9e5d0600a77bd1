// The kernels of banks.cu, each run and its result judged.
#pragma once

#include "lab2_tiled/banks/banks.h"
#include "lab2_tiled/exact.h"

namespace banks {

using matrix::Matrix;

const int kBanks = 32;

// Each runs a kernel, judges its result, and leaves its launch behind to be asked.
inline void expectTransposed(int rows, int cols) {
    const Matrix A = exact::numbers(rows, cols);
    Matrix B = matrix::poisoned(cols, rows), wanted(cols, rows);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) wanted(c, r) = A(r, c);
    lab::run("TODO(1)", [&] { transpose(A.data(), B.data(), rows, cols); });
    exact::expectEqual("TODO(1)", B, wanted);
}

inline void expectScaled(int rows) {
    const Matrix A = exact::numbers(rows, kBanks);
    Matrix B = matrix::poisoned(rows, kBanks), wanted(rows, kBanks);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < kBanks; ++c) wanted(r, c) = A(r, c) * A(r, 0);
    lab::run("TODO(2)", [&] { scaleRows(A.data(), B.data(), rows); });
    exact::expectEqual("TODO(2)", B, wanted);
}

}  // namespace banks
