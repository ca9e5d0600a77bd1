// Calls a step's function. The tests know of its kernel only what this call does.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lab4_memtypes/registers/registers.h"
#include "matrix/compare.h"
#include "testing/lab.h"
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

// Fails the test unless the product is right for each shape, with fractions in the last one.
inline void expectRight(const Step& step, const std::vector<Shape>& shapes) {
    for (const Shape shape : shapes) {
        INFO(lab::text(shape));
        lab::expectProduct(step.about, runStep(step, lab::integers(shape)));
    }
    // Of a char, 256 phases are too many.
    for (const Shape shape : {Shape{300, 4, 4}, {4, 2056, 4}, {4, 4, 300}})
        lab::expectProduct(step.about, runStep(step, lab::integers(shape)));
    const lab::ProductRun run = runStep(step, lab::fractions(shapes.back()));
    const float* const P = run.P.data();
    if (!lab::isRight(run) && std::all_of(P, P + run.P.size(), [](float v) { return v == 0.0F; }))
        lab::fail("all-zero", step.about,
                  "the product is right on whole numbers, but on {}\nevery element is 0: the "
                  "fractions are cut off. Is Pvalue, m, n or a tile an\nint?",
                  run.set.spec.name);
    lab::expectProduct(step.about, run);
}

// Returns how a tile of P that is 64 x 64, of 8 rows or of 8 x 8 elements a thread, differs from
// the right one where only the sums of the threads have changed their places or were added up;
// empty where that does not explain it.
inline std::string placesOfSums(const lab::ProductRun& run) {
    const matrix::Matrix& P = run.P;
    const std::vector<double> right = matrix::multiply(run.set.M, run.set.N).product;
    const int n = P.rows();
    const auto at = [&](int row, int col) { return static_cast<float>(right[P.index(row, col)]); };
    const auto fits = [&](const auto& wanted) {
        for (int row = 0; row < n; ++row)
            for (int col = 0; col < n; ++col)
                if (!(P(row, col) == wanted(row, col))) return false;
        return true;
    };
    // The first line that holds what belongs into another one, where each line holds one's content.
    for (const bool ofRows : {true, false}) {
        const auto line = [&](int i, int k, const auto& from) {
            return ofRows ? from(i, k) : from(k, i);
        };
        int first = -1, holds = -1, found = 0;
        for (int i = 0; i < n; ++i)
            for (int other = 0; other < n; ++other) {
                int k = 0;
                while (k < n && line(i, k, P) == line(other, k, at)) ++k;
                if (k < n) continue;
                ++found;
                if (i != other && first < 0) first = i, holds = other;
                break;
            }
        const char* const name = ofRows ? "row" : "column";
        if (found == n && first >= 0)
            return lab::filled(
                "The sums are right, but in other {}s: {} {} of P holds what belongs "
                "into {} {}.\nA {} of P is computed from one place and stored in "
                "another one.",
                name, name, first, name, holds, name);
    }
    constexpr int kEach = 8;  // TM and TN, BM / TM and BN / TN
    if (n != kEach * kEach) return "";
    if (fits([&](int row, int col) {
            return at(row % kEach + col / kEach * kEach, col % kEach + row / kEach * kEach);
        }))
        return "The sums are right, but each thread stores Pvalue[b][a] in the place of "
               "Pvalue[a][b]:\n"
               "its rows and columns are exchanged.";
    if (fits([&](int row, int col) {
            float sum = 0.0F;
            for (int a = 0; row % kEach == 0 && a < kEach; ++a) sum += at(row + a, col);
            return sum;
        }))
        return "Row 0 of P holds the sum of rows 0 to 7, and rows 1 to 7 are 0; so it is in every "
               "8:\n"
               "each thread adds the products of its rows to one sum.";
    return "";
}

// Fails the test unless a single tile of P is right, which needs no code for edges. `store` is the
// TODO of the step's store.
inline void expectOneTile(const Step& step, [[maybe_unused]] const Todo& store) {
    const lab::ProductRun run = runStep(step, lab::integers({64, 16, 64}), {"unset-output"});
#ifdef CUDA_SIMULATED_DEVICE
    if (!cusim::launches().empty() && cusim::launches().front().global().stores == 0) {
        lab::beginWith(store);
        lab::fail("never-written", step.about,
                  "nothing is stored into P. It may be right, and can be judged when the "
                  "store,\n{}, is there.",
                  store);
    }
#endif
    lab::expectProduct(step.about, run, [&] { return placesOfSums(run); });
}
