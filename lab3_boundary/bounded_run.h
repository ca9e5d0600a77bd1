// Calls boundedMatrixMul. The tests know of a kernel only what this call does, so that any correct
// kernel passes, with any block, shared arrays or loops.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "lab3_boundary/lab3.h"
#include "lab3_boundary/shape.h"
#include "matrix/compare.h"
#include "testing/lab.h"

inline void multiplySquare(const float* M, const float* N, float* P, int n) {
    boundedMatrixMul(M, N, P, n, n, n);
}

// Runs the function; a failure is reported in a sentence that begins with it. Other tests
// report findings of the kinds in `leftToOtherTests`.
inline lab::ProductRun runBounded(const lab::Text& about, matrix::DataSet set,
                                  const std::vector<std::string>& leftToOtherTests = {}) {
    const Shape shape = shapeOf(set);
    return lab::runProduct(
        lab::andLeaks(leftToOtherTests), lab::filled("{}, {}", about, text(shape)), std::move(set),
        [&](auto... matrices) { boundedMatrixMul(matrices..., shape.j, shape.k, shape.l); });
}

// Fails the test unless the product is right for this shape.
inline void expectRight(const lab::Text& about, Shape shape) {
    lab::expectProduct(about, runBounded(about, lab::integers(shape)));
}
