// Judges results of the small kernels of parts B and C, which float32 computes exactly: whole
// numbers and quarters, or one division of two of them.
#pragma once

#include <cmath>
#include <sstream>
#include <string>

#include "matrix/compare.h"
#include "matrix/pattern.h"
#include "testing/lab.h"
#include "testing/role.h"

namespace exact {

// Quarters, so that no integer can stand for them.
inline matrix::Matrix numbers(int rows, int cols) {
    matrix::Matrix all =
        matrix::generate(matrix::Pattern::SmallIntegers, rows, cols, lab::seedFor(1));
    for (std::size_t i = 0; i < all.size(); ++i) all.data()[i] /= 4;
    return all;
}

// Returns the right result, whose element (r, c) is elementAt(r, c).
template <class ElementAt>
matrix::Matrix right(int rows, int cols, const ElementAt& elementAt) {
    matrix::Matrix result(rows, cols);
    if (!testing::judges()) return result;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) result(r, c) = elementAt(r, c);
    return result;
}

// Fails the test, with the first wrong elements, unless got equals wanted.
inline void expectEqual(const lab::Text& about, const matrix::Matrix& got,
                        const matrix::Matrix& wanted) {
    if (!testing::judges()) return;
    std::ostringstream examples;
    std::size_t wrong = 0;
    bool whole = true, zero = true;  // no element has a fraction; all are 0
    for (int r = 0; r < wanted.rows(); ++r)
        for (int c = 0; c < wanted.cols(); ++c) {
            whole &= got(r, c) == std::trunc(got(r, c));
            zero &= got(r, c) == 0;
            // Fails for NaN, too, unlike got != wanted.
            if (got(r, c) == wanted(r, c)) continue;
            if (++wrong <= 3)
                examples << "\n  row " << r << ", column " << c << ": got " << got(r, c)
                         << ", expected " << wanted(r, c);
        }
    if (wrong == 0) return;
    lab::fail("wrong-values", about, "the result is wrong.\n{} of {} differ; the first:{}{}", wrong,
              lab::count(wanted.size(), "element"), examples.str(),
              whole && !zero ? "\nAll are whole numbers: is a tile or a variable an int?" : "");
}

}  // namespace exact
