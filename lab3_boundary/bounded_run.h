// One call of boundedMatrixMul: all that the tests know of a kernel is what this function does, so
// that any correct kernel passes, whatever its block, its shared arrays or its loops look like.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "lab3_boundary/lab3.h"
#include "lab3_boundary/shape.h"
#include "matrix/compare.h"
#include "testing/lab.h"

struct BoundedRun {
    matrix::DataSet set;
    matrix::Matrix P;
};

// `todo` begins the sentence in which what went wrong is told; findings of the kinds left out are
// told by other tests.
inline BoundedRun runBounded(const std::string& todo, matrix::DataSet set,
                             const std::vector<std::string>& leftToOtherTests = {}) {
    const Shape shape = shapeOf(set);
    BoundedRun run{std::move(set), matrix::poisoned(shape.j, shape.l)};
    lab::runIgnoring(
        leftToOtherTests, todo + ", " + text(shape),
        [&] {
            boundedMatrixMul(run.set.M.data(), run.set.N.data(), run.P.data(), shape.j, shape.k,
                             shape.l);
        },
        lab::gives(run.P).from(run.set.M, run.set.N));
    return run;
}

// Fails the test unless the product is right for this shape.
inline void expectRight(const std::string& todo, Shape shape) {
    const BoundedRun run = runBounded(todo, wholeNumbers(shape));
    lab::expectProduct(todo, run.P, run.set);
}
