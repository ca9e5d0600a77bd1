// Calls a step's function. The tests know of its kernel only what this call does.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "lab4_memtypes/registers/registers.h"
#include "matrix/compare.h"
#include "testing/device.h"
#include "testing/lab.h"
#include "testing/role.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "simulator/simulator.h"
#endif

using lab::Shape;

struct Step {
    lab::Text about;  // the TODO or the function; begins the sentences
    Multiply* multiply;
};

inline lab::ProductRun runStep(const Step& step, matrix::DataSet set,
                               const std::vector<std::string>& leftToOtherTests = {}) {
    const Shape shape = lab::shapeOf(set);
    return lab::runProduct(leftToOtherTests, step.about, std::move(set), [&](auto... matrices) {
        step.multiply(matrices..., shape.j, shape.k, shape.l);
    });
}

// Whole tiles in every direction, so that every product is used, and a single tile of P.
constexpr Shape kWholeTiles{128, 64, 128}, kOneTile{64, 16, 64};

// The calls whose product a test has found right: a step's function and the sizes of its integers.
inline std::set<std::tuple<Multiply*, int, int, int>>& rightCalls() {
    static std::set<std::tuple<Multiply*, int, int, int>> calls;
    return calls;
}

// Returns which rows of M, or columns of N, a block of 64 x 64 elements uses instead of its
// own; empty if that does not explain the result.
inline std::string blocksTaken(const lab::ProductRun& run) {
    const matrix::Matrix& P = run.P;
    constexpr int kTile = 64;
    if (P.rows() % kTile + P.cols() % kTile > 0) return "";
    const std::vector<double> right = matrix::multiply(run.set.M, run.set.N).product;
    const auto holds = [&](int row, int col, int fromRow, int fromCol) {
        for (int i = 0; i < kTile * kTile; ++i) {
            const int r = i / kTile, c = i % kTile;
            if (P(row + r, col + c) != static_cast<float>(right[P.index(fromRow + r, fromCol + c)]))
                return false;
        }
        return true;
    };
    std::string told;
    for (int row = 0; row < P.rows(); row += kTile)
        for (int col = 0; col < P.cols(); col += kTile) {
            if (holds(row, col, row, col)) continue;
            int from = 0;
            const int all = P.rows() / kTile * (P.cols() / kTile), cols = P.cols() / kTile;
            while (from < all && !holds(row, col, from / cols * kTile, from % cols * kTile)) ++from;
            if (from == all) return "";
            const int fromRow = from / cols * kTile, fromCol = from % cols * kTile;
            if (!told.empty()) continue;
            told = lab::filled("The block of P[{}][{}]", row, col);
            if (fromRow != row) told += lab::filled(" uses the rows of M from {} on", fromRow);
            if (fromCol != col)
                told += lab::filled("{} uses the columns of N from {} on",
                                    fromRow != row ? "," : "", fromCol);
        }
    return told + ":\nsee blockIdx.x and blockIdx.y in the indices of M, N and P.";
}

// Fails the test if an infinite element of M gets into a row of P that it does not belong to, as 0
// x infinity, which is NaN. It is the first element of the row after the end of another one.
inline void expectZerosOutside(const Step& step) {
    constexpr int kRow = 2;
    matrix::DataSet set = lab::integers({5, 4, 8});
    set.M(kRow, 0) = std::numeric_limits<float>::infinity();
    const lab::ProductRun run = runStep(step, std::move(set));
    if (!testing::judges()) return;
    for (int row = 0; row < run.P.rows(); ++row)
        for (int col = 0; col < run.P.cols(); ++col)
            if (row != kRow && !std::isfinite(run.P(row, col)))
                lab::fail("beyond-the-edge", step.about,
                          "P[{}][{}] is not a number, because M[{}][0] is infinite. M has only 4 "
                          "columns here: a\nload past the end of a row gets an element of the "
                          "next row. Check Col < k, and put\nzeros into the tile instead.",
                          row, col, kRow);
}

// Fails the test unless the product is right for each shape, with fractions in the last one.
inline void expectRight(const Step& step, const std::vector<Shape>& shapes) {
    const device::WithoutWarps withoutWarps;
    for (const Shape shape : shapes) {
        INFO(lab::text(shape));
        const lab::ProductRun run = runStep(step, lab::integers(shape));
        lab::expectProduct(step.about, run, [&] { return blocksTaken(run); });
        rightCalls().insert({step.multiply, shape.j, shape.k, shape.l});
    }
    expectZerosOutside(step);
    // Of a char, 256 phases are too many.
    for (const Shape shape : {Shape{300, 4, 4}, {4, 2056, 4}, {4, 4, 300}})
        lab::expectProduct(step.about, runStep(step, lab::integers(shape)));
    // M is the beginning of A, with 4 columns, and N with 4 rows.
    lab::expectLastElement(
        step.about,
        [&](const matrix::Matrix& A) {
            matrix::Matrix P(A.rows(), A.cols());
            step.multiply(A.data(), A.data(), P.data(), A.rows(), 4, A.cols());
            return P.data()[P.size() - 1];
        },
        [](const matrix::Matrix& A) {
            float sum = 0.0F;
            for (int k = 0; k < 4; ++k) sum += A.data()[4 * A.rows() - 4 + k] * A(k, A.cols() - 1);
            return sum;
        });
    const lab::ProductRun run = runStep(step, lab::fractions(shapes.back()));
    const float* const P = run.P.data();
    if (!lab::isRight(run) && std::all_of(P, P + run.P.size(), [](float v) { return v == 0.0F; }))
        lab::fail("all-zero", step.about,
                  "the product is right on whole numbers, but on {}\nevery element is 0: the "
                  "fractions are cut off. Is Pvalue, m, n or a tile an\nint?",
                  run.set.spec.name);
    lab::expectProduct(step.about, run);
}
