// Runs the kernels of banks.cu and judges their results.
#pragma once

#include "lab2_tiled/banks/banks.h"
#include "lab2_tiled/exact.h"

namespace banks {

using matrix::Matrix;

const int kBanks = 32;

// Run a kernel and judge its result; its launch can be inspected afterwards.
inline void expectTransposed(int rows, int cols) {
    const Matrix A = exact::numbers(rows, cols);
    Matrix B = matrix::poisoned(cols, rows);
    lab::run(Todo(1), lab::gives(B).from(A), [&] { transpose(A.data(), B.data(), rows, cols); });
    exact::expectEqual(Todo(1), B, exact::right(cols, rows, [&](int r, int c) { return A(c, r); }));
}

inline void expectScaled(int rows) {
    const Matrix A = exact::numbers(rows, kBanks);
    Matrix B = matrix::poisoned(rows, kBanks);
    lab::run(Todo(2), lab::gives(B).from(A), [&] { scaleRows(A.data(), B.data(), rows); });
    exact::expectEqual(Todo(2), B,
                       exact::right(rows, kBanks, [&](int r, int c) { return A(r, c) * A(r, 0); }));
}

}  // namespace banks
