// Tests the type of the sum in the printed draft of the tiled kernel; barriers do not mend it.
#include <algorithm>
#include <cmath>

#include "lab2_tiled/hazards/draft_run.h"

namespace {

template <class Test>
bool allOf(const matrix::Matrix& P, const Test& test) {
    return std::all_of(P.data(), P.data() + P.size(), test);
}

// Returns which tile cuts off the fractions of its elements, if that explains a product of
// quarters; else nothing.
std::string tileWithoutFractions() {
    matrix::DataSet set = hazards::threeTiles(matrix::Pattern::SmallIntegers);
    for (matrix::Matrix* input : {&set.M, &set.N})
        for (std::size_t i = 0; i < input->size(); ++i) input->data()[i] /= 4;
    const matrix::Matrix P = hazards::draftProduct(Todo(4), set);
    for (const bool ofM : {true, false})
        if (exact::holds(P, [&](int Row, int Col) {
                float sum = 0.0F;
                for (int k = 0; k < set.M.cols(); ++k) {
                    const float m = set.M(Row, k), n = set.N(k, Col);
                    sum += ofM ? std::trunc(m) * n : m * std::trunc(n);
                }
                return sum;
            }))
            return ofM ? "M" : "N";
    return "";
}

}  // namespace

TEST_CASE("TODO(4): fractions in M and N give fractions in P") {
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
            "draftMatrixMul: every element of P is 0, for whole numbers, too. The reason is "
            "not\nthe type of Pvalue. Are the products added to Pvalue? Is P stored after that?");
    if (const std::string tile = tileWithoutFractions(); !tile.empty())
        lab::fail("whole-numbers", Todo(4),
                  "the elements of {} lose their fractions. Look at the type of {}'s tile.", tile,
                  tile);
    lab::fail("whole-numbers", Todo(4),
              "M and N hold fractions, but every element of P is a whole number.\nLook at "
              "the types of Pvalue and of what is added to it: an int cuts off the fraction.");
}
