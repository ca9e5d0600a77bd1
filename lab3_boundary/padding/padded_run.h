// Calls boundedMatrixMulPadded.
#pragma once

#include <string>
#include <vector>

#include "lab3_boundary/padding/padding.h"
#include "lab3_boundary/shape.h"
#include "matrix/compare.h"
#include "testing/lab.h"

inline void multiplySquare(const float* M, const float* N, float* P, int n) {
    boundedMatrixMulPadded(M, N, P, n, n, n);
}

struct PaddedRun : lab::ProductRun {
    std::vector<float> memory;  // P and the guard behind it
};

// Runs the function on a P with a guard behind its rows, which takes a copy that brings back too
// much.
inline PaddedRun runPadded(const lab::Text& about, matrix::DataSet set,
                           const std::vector<std::string>& leftToOtherTests = {}) {
    const Shape shape = shapeOf(set);
    const std::size_t size = product(shape.j, shape.l);
    const int behind = (tileWidth() + shape.j + shape.l) * tileWidth() + tileWidth();
    PaddedRun run{{std::move(set), matrix::poisoned(shape.j, shape.l)}, {}};
    std::vector<float>& P = run.memory;
    P.assign(size + static_cast<std::size_t>(behind), -1.0f);
    std::copy(run.P.data(), run.P.data() + size, P.data());
    lab::runIgnoring(lab::andLeaks(leftToOtherTests), lab::filled("{}, {}", about, text(shape)),
                     lab::gives(P).from(run.set.M, run.set.N), [&] {
                         boundedMatrixMulPadded(run.set.M.data(), run.set.N.data(), P.data(),
                                                shape.j, shape.k, shape.l);
                     });
    std::copy(P.data(), P.data() + size, run.P.data());
    for (std::size_t i = size; i < P.size(); ++i)
        if (P[i] != -1.0f) {
            lab::beginWith(Todo(4));
            lab::fail("copied-too-much", Todo(4),
                      "what lies behind P on the host is overwritten. P is j x l floats\nlong; the "
                      "padded product is larger.{}",
                      seenWith(shape));
        }
    return run;
}
