// Inputs and right results of the kernels of hazards.cu. All results are exact in float32: sums of
// small whole numbers, and one division of two of them.
#pragma once

#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "lab2_tiled/hazards/hazards.h"
#include "matrix/compare.h"
#include "matrix/pattern.h"
#include "testing/lab.h"

namespace hazards {

using matrix::Matrix;

// What a test of values leaves to the tests of barriers: a racy kernel may well be right by luck,
// and one that reads too early does so for want of a barrier.
inline const std::vector<std::string> kOfBarriers = {"race", "unset-read"};

inline Matrix numbers(int rows, int cols) {
    return matrix::generate(matrix::Pattern::SmallIntegers, rows, cols, 1);
}

// Fails the test, with the first wrong elements, unless got equals wanted.
inline void expectEqual(const std::string& todo, const Matrix& got, const Matrix& wanted) {
    std::ostringstream examples;
    std::size_t wrong = 0;
    for (int r = 0; r < wanted.rows(); ++r)
        for (int c = 0; c < wanted.cols(); ++c) {
            // Not "got != wanted": a NaN must not pass.
            if (got(r, c) == wanted(r, c)) continue;
            if (++wrong <= 3)
                examples << "\n  row " << r << ", column " << c << ": got " << got(r, c)
                         << ", expected " << wanted(r, c);
        }
    if (wrong == 0) return;
    lab::fail("wrong-values", todo + ": the result is wrong.\n" + std::to_string(wrong) + " of " +
                                  lab::count(wanted.size(), "element") +
                                  " differ; the first:" + examples.str());
}

// A result and what it should be.
struct Result {
    Matrix got, wanted;
};

inline Result runFourQuestions() {
    const int T = tileWidth();
    const Matrix in = numbers(T, T);
    Result result{matrix::poisoned(T, T), Matrix(T, T)};
    for (int y = 0; y < T; ++y)
        for (int x = 0; x < T; ++x)
            result.wanted(y, x) = in(y, x) + 2 * in(x, y) + 4 * in(T - x - 1, y);
    fourQuestions(in.data(), result.got.data());
    return result;
}

// Two squares high and three wide.
inline Result runBlockTranspose(int BLOCK_WIDTH) {
    const int rows = 2 * BLOCK_WIDTH, cols = 3 * BLOCK_WIDTH;
    Result result{numbers(rows, cols), Matrix(rows, cols)};
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) {
            const int top = r / BLOCK_WIDTH * BLOCK_WIDTH, left = c / BLOCK_WIDTH * BLOCK_WIDTH;
            result.wanted(r, c) = result.got(top + c - left, left + r - top);
        }
    blockTranspose(result.got.data(), rows, cols, BLOCK_WIDTH);
    return result;
}

inline Result runNormalizeColumns(int rows, int cols) {
    Matrix A = numbers(rows, cols);
    Result result{matrix::poisoned(rows, cols), Matrix(rows, cols)};
    for (int c = 0; c < cols; ++c) {
        // No column may be all zero.
        A(0, c) = static_cast<float>(c + 1);
        float norm = 0.0F;
        for (int r = 0; r < rows; ++r) norm += std::fabs(A(r, c));
        for (int r = 0; r < rows; ++r) result.wanted(r, c) = A(r, c) / norm;
    }
    normalizeColumns(A.data(), result.got.data(), rows, cols);
    return result;
}

// Runs a kernel and judges its result alone.
inline void expectValues(const std::string& todo, const std::function<Result()>& runKernel) {
    Result result;
    lab::runIgnoring(kOfBarriers, todo, [&] { result = runKernel(); });
    expectEqual(todo, result.got, result.wanted);
}

}  // namespace hazards
