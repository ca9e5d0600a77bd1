// One call of boundedMatrixMul: all that the tests know of a kernel is what this function does, so
// that any correct kernel passes, whatever its block, its shared arrays or its loops look like.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "lab3_boundary/lab3.h"
#include "lab3_boundary/tile_width.h"
#include "matrix/compare.h"
#include "testing/lab.h"

// M is j x k, N is k x l, P is j x l.
struct Shape {
    int j, k, l;
};

inline std::string text(int n) { return std::to_string(n); }

inline std::string text(Shape shape) {
    return "M " + text(shape.j) + " x " + text(shape.k) + ", N " + text(shape.k) + " x " +
           text(shape.l);
}

// The last line of a message.
inline std::string seenWith(Shape shape) {
    return "\nSeen with " + text(shape) + ", TILE_WIDTH " + text(tileWidth()) + ".";
}

// "M[2][0]"
inline std::string element(const std::string& matrixName, int row, int col) {
    return matrixName + "[" + text(row) + "][" + text(col) + "]";
}

inline int tilesIn(int elements) { return (elements - 1) / tileWidth() + 1; }

inline Shape shapeOf(const matrix::DataSet& set) { return {set.spec.j, set.spec.k, set.spec.l}; }

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
    lab::runIgnoring(leftToOtherTests, todo + ", " + text(shape), [&] {
        boundedMatrixMul(run.set.M.data(), run.set.N.data(), run.P.data(), shape.j, shape.k,
                         shape.l);
    });
    return run;
}

inline matrix::DataSet wholeNumbers(Shape shape) {
    return lab::integers(shape.j, shape.k, shape.l);
}

// Fails the test unless the product is right for this shape.
inline void expectRight(const std::string& todo, Shape shape) {
    const BoundedRun run = runBounded(todo, wholeNumbers(shape));
    lab::expectProduct(todo, run.P, run.set);
}
