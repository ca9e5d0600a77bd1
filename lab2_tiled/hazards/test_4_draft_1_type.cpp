// Tests the type of the sum in the printed draft of the tiled kernel; barriers do not mend it.
#include <algorithm>
#include <cmath>

#include "lab2_tiled/hazards/draft_run.h"

namespace {

template <class Test>
bool allOf(const matrix::Matrix& P, const Test& test) {
    return std::all_of(P.data(), P.data() + P.size(), test);
}

}  // namespace

TEST_CASE("TODO(4): fractions in M and N leave fractions in P") {
    const auto isWhole = [](float value) { return value == std::floor(value); };
    const auto isZero = [](float value) { return value == 0.0F; };
    // An int is right on whole numbers, so that it does not make them 0.
    const matrix::Matrix whole =
        hazards::draftProduct(Todo(4), hazards::threeTiles(matrix::Pattern::SmallIntegers));
    const matrix::Matrix P =
        hazards::draftProduct(Todo(4), hazards::threeTiles(matrix::Pattern::Uniform));
    if (!allOf(P, isWhole)) return;
    if (allOf(P, isZero) && allOf(whole, isZero))
        lab::fail(
            "all-zero",
            "draftMatrixMul: every element of P is 0, on whole numbers, too. That is not the "
            "type of\nPvalue. Are the products added to Pvalue, and is P stored behind them?");
    lab::fail("whole-numbers", Todo(4),
              "M and N are full of fractions, and every element of P is a whole\nnumber. Look at "
              "the type of Pvalue: each addition cuts off the fraction.");
}
