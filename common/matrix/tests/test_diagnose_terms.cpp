#include "matrix/compare.h"
#include "matrix/pattern.h"
#include "matrix/tests/judged.h"

using namespace matrix_test;
using matrix::Looks;
using matrix::Matrix;
using matrix::Pattern;

namespace {

float flat(const Matrix& m, int row, int length, int col) {
    return m.data()[static_cast<std::size_t>(row * length + col)];
}

}  // namespace

TEST_CASE("sums or differences instead of products are named", "[diagnose]") {
    for (const Pattern pattern : {Pattern::SmallIntegers, Pattern::Uniform}) {
        expectLooks(judge(pattern, 9, 8, 7,
                          ELEMENT(total(0, M.cols(), [&](int i) { return M(r, i) + N(i, c); }))),
                    Looks::OtherOperation, "adds up M[Row][k] + N[k][Col]");
        expectLooks(judge(pattern, 9, 8, 7,
                          ELEMENT(total(0, M.cols(), [&](int i) { return M(r, i) - N(i, c); }))),
                    Looks::OtherOperation, "adds up M[Row][k] - N[k][Col]");
        expectLooks(judge(pattern, 9, 8, 7, ELEMENT(-whole(M, N, r, c))), Looks::OtherOperation,
                    "wrong sign");
    }
}

TEST_CASE("products of elements of one matrix are named", "[diagnose]") {
    expectLooks(judge(Pattern::Uniform, 8, 8, 8, ELEMENT(whole(M, M, r, c))), Looks::OperandTwice,
                "both of its elements from M, none from N");
    expectLooks(judge(Pattern::SmallIntegers, 8, 8, 8, ELEMENT(whole(N, N, r, c))),
                Looks::OperandTwice, "both of its elements from N, none from M");
    const auto tileOfM = ELEMENT(
        total(0, 32, [&](int i) { return M(r, i) * M(r - r % 16 + i % 16, i - i % 16 + c % 16); }));
    expectLooks(judge(Pattern::SmallIntegers, 32, 32, 32, tileOfM), Looks::OperandTwice,
                "both of its elements from M's tile, none from N's");
    const auto tileOfN = ELEMENT(
        total(0, 32, [&](int i) { return N(i - i % 16 + r % 16, c - c % 16 + i % 16) * N(i, c); }));
    expectLooks(judge(Pattern::Uniform, 32, 32, 32, tileOfN), Looks::OperandTwice,
                "both of its elements from N's tile, none from M's");
}

TEST_CASE("rows of a wrong length are named, with both lengths", "[diagnose]") {
    const auto ofN =
        ELEMENT(total(0, M.cols(), [&](int i) { return M(r, i) * flat(N, i, M.rows(), c); }));
    expectLooks(judge(Pattern::Uniform, 4, 5, 9, ofN), Looks::RowLength,
                "rows of N that are 4 elements long.\nA row has 9");
    const auto ofM =
        ELEMENT(total(0, M.cols(), [&](int i) { return flat(M, r, N.cols(), i) * N(i, c); }));
    expectLooks(judge(Pattern::SmallIntegers, 6, 8, 5, ofM), Looks::RowLength,
                "rows of M that are 5 elements long.\nA row has 8");
}

TEST_CASE("tiles whose first or last products are left out are named", "[diagnose]") {
    const auto without = [](int left) {
        return ELEMENT(
            total(0, M.cols(), [&](int i) { return i % 16 == left ? 0.0F : M(r, i) * N(i, c); }));
    };
    expectLooks(judge(Pattern::Uniform, 16, 32, 16, without(0)), Looks::TileProducts,
                "lacks the first product of every 16: the loop over k begins one too late");
    expectLooks(judge(Pattern::SmallIntegers, 16, 32, 16, without(15)), Looks::TileProducts,
                "lacks the last product of every 16");
}
