// The kernels of hazards.cu, each with an input and its right result.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "lab2_tiled/exact.h"
#include "lab2_tiled/hazards/hazards.h"

namespace hazards {

using matrix::Matrix;

// What a test of values leaves to the tests of barriers: a racy kernel may well be right by luck,
// and one that reads too early does so for want of a barrier.
inline const std::vector<std::string> kOfBarriers = {"race", "unset-read"};

// A result and what it should be.
struct Result {
    Matrix got, wanted;
};

inline Result runFourQuestions() {
    const int T = tileWidth();
    const Matrix in = exact::numbers(T, T);
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
    Result result{exact::numbers(rows, cols), Matrix(rows, cols)};
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) {
            const int top = r / BLOCK_WIDTH * BLOCK_WIDTH, left = c / BLOCK_WIDTH * BLOCK_WIDTH;
            result.wanted(r, c) = result.got(top + c - left, left + r - top);
        }
    blockTranspose(result.got.data(), rows, cols, BLOCK_WIDTH);
    return result;
}

inline Result runNormalizeColumns(int rows, int cols) {
    Matrix A = exact::numbers(rows, cols);
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
    exact::expectEqual(todo, result.got, result.wanted);
}

}  // namespace hazards
