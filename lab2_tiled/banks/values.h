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
    Matrix B = matrix::poisoned(cols, rows);
    lab::run(
        "TODO(1)", [&] { transpose(A.data(), B.data(), rows, cols); }, lab::gives(B));
    exact::expectEqual("TODO(1)", B,
                       exact::right(cols, rows, [&](int r, int c) { return A(c, r); }));
}

inline void expectScaled(int rows) {
    const Matrix A = exact::numbers(rows, kBanks);
    Matrix B = matrix::poisoned(rows, kBanks);
    lab::run(
        "TODO(2)", [&] { scaleRows(A.data(), B.data(), rows); }, lab::gives(B));
    exact::expectEqual("TODO(2)", B,
                       exact::right(rows, kBanks, [&](int r, int c) { return A(r, c) * A(r, 0); }));
}

}  // namespace banks
