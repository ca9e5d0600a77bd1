// The printed draft of the tiled kernel: the values.
#include <cmath>

#include "lab2_tiled/hazards/values.h"

using matrix::Matrix;
using matrix::Pattern;

namespace {

// Three phases, and more than one block.
matrix::DataSet threeTiles(Pattern pattern) {
    const int Width = 3 * hazards::widthOfTiles();
    return lab::build(
        {matrix::setName(Width, Width, Width, pattern), Width, Width, Width, pattern, 1});
}

Matrix product(const char* todo, const matrix::DataSet& set) {
    const int Width = set.M.rows();
    Matrix P = matrix::poisoned(Width, Width);
    lab::runIgnoring(
        hazards::kOfBarriers, todo,
        [&] { draftMatrixMul(set.M.data(), set.N.data(), P.data(), Width); }, lab::gives(P));
    return P;
}

}  // namespace

TEST_CASE("TODO(4): fractions in M and N leave fractions in P") {
    const Matrix P = product("TODO(4)", threeTiles(Pattern::Uniform));
    for (int Row = 0; Row < P.rows(); ++Row)
        for (int Col = 0; Col < P.cols(); ++Col)
            if (P(Row, Col) != std::floor(P(Row, Col))) return;
    lab::fail("whole-numbers",
              "TODO(4): M and N are full of fractions, and every element of P is a whole\nnumber. "
              "Look at the type of Pvalue: each addition cuts off the fraction.");
}

TEST_CASE("the repaired draft computes M x N, on whole numbers and on fractions") {
    for (const Pattern pattern : {Pattern::SmallIntegers, Pattern::Uniform}) {
        const matrix::DataSet set = threeTiles(pattern);
        lab::expectProduct("draftMatrixMul", product("draftMatrixMul", set), set);
    }
}
