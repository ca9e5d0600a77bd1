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

struct BoundedRun {
    matrix::DataSet set;
    matrix::Matrix P;
};

// Runs the function; a failure is reported in a sentence that begins with `todo`. Other tests
// report findings of the kinds in `leftToOtherTests`.
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
