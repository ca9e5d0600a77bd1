// Lists the kernels of hazards.cu, each with an input and its right result.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "lab2_tiled/exact.h"
#include "lab2_tiled/hazards/hazards.h"
#include "testing/chosen_tile_width.h"

namespace hazards {

using matrix::Matrix;

// Findings that tests of values ignore: a racy kernel may be right by chance, and one that reads
// too early lacks a barrier. The tests of barriers report both.
inline const std::vector<std::string> kOfBarriers = {"race", "unset-read"};

// A kernel's call with the content of its output before and after.
struct Trial {
    Matrix out, wanted;
    std::function<void(float* out)> call;
};

// Returns the width of the tiles; fails the test unless it is the one that make chose, because the
// inputs fit that one only.
inline int widthOfTiles() {
    int width = 0;
    lab::run("tileWidth", lab::gives(width), [&] { width = tileWidth(); });
    const int chosen = testing::chosenTileWidth();
    if (width != chosen)
        lab::fail("tile-width",
                  "tileWidth() is {}, where the tests expect {}.\nFor another one write make test "
                  "TILE_WIDTH=n, and leave the file as it is.",
                  width, chosen);
    return width;
}

inline Trial onFourQuestions() {
    const int T = widthOfTiles();
    const Matrix in = exact::numbers(T, T);
    const auto wanted = [&](int y, int x) {
        return in(y, x) + 2 * in(x, y) + 4 * in(T - x - 1, y);
    };
    return {matrix::poisoned(T, T), exact::right(T, T, wanted),
            [in](float* out) { fourQuestions(in.data(), out); }};
}

// Uses a matrix of so many squares.
inline Trial onBlockTranspose(int BLOCK_WIDTH, int high = 2, int wide = 3) {
    const int rows = high * BLOCK_WIDTH, cols = wide * BLOCK_WIDTH;
    const Matrix in = exact::numbers(rows, cols);
    const auto wanted = [&](int r, int c) {
        const int top = r / BLOCK_WIDTH * BLOCK_WIDTH, left = c / BLOCK_WIDTH * BLOCK_WIDTH;
        return in(top + c - left, left + r - top);
    };
    return {in, exact::right(rows, cols, wanted),
            [=](float* A) { blockTranspose(A, rows, cols, BLOCK_WIDTH); }};
}

inline Trial onNormalizeColumns(int rows, int cols) {
    Matrix A = exact::numbers(rows, cols);
    // No column may be all zero.
    for (int c = 0; c < cols; ++c) A(0, c) = static_cast<float>(c + 1);
    const auto wanted = [&](int r, int c) {
        float norm = 0.0F;
        for (int row = 0; row < rows; ++row) norm += std::fabs(A(row, c));
        return A(r, c) / norm;
    };
    return {matrix::poisoned(rows, cols), exact::right(rows, cols, wanted),
            [=](float* B) { normalizeColumns(A.data(), B, rows, cols); }};
}

// Runs a kernel and judges only its result.
inline void expectValues(const Todo& todo, Trial trial) {
    lab::runIgnoring(kOfBarriers, todo, lab::gives(trial.out),
                     [&] { trial.call(trial.out.data()); });
    exact::expectEqual(todo, trial.out, trial.wanted);
}

}  // namespace hazards
