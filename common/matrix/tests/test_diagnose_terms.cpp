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

TEST_CASE("Sums that contain the first product twice are reported as such") {
    const auto twice = ELEMENT(
        total(0, M.cols(), [&](int i) { return (i == 0 ? 2.0F : 1.0F) * M(r, i) * N(i, c); }));
    expectLooks(judge(Pattern::SmallIntegers, 16, 16, 16, twice), Looks::OtherOperation,
                "contains the first product twice");
}

TEST_CASE("Sums that contain earlier phases again are reported as such") {
    const auto again = [](const Matrix& M, const Matrix& N, int r, int c) {
        float sum = 0, all = 0;
        for (int k = 0; k < M.cols(); ++k) {
            sum += M(r, k) * N(k, c);
            if (k % 16 == 15) all += sum;
        }
        return all;
    };
    expectLooks(judge(Pattern::SmallIntegers, 16, 48, 16, again), Looks::Multiple,
                "of each phase are added again in each later phase");
}

TEST_CASE("tiles of different phases, and one tile in all phases, are named", "[diagnose]") {
    const auto at = [](int i, int first) { return (first + i / 16) % 3 * 16 + i % 16; };
    const auto sums = [&](auto colOfM, auto rowOfN) {
        return ELEMENT(total(0, M.cols(), [&](int i) {
            return M(r, colOfM(i, r / 16, c / 16)) * N(rowOfN(i, r / 16, c / 16), c);
        }));
    };
    const auto right = [](int i, int, int) { return i; };
    const auto byColumn = [&](int i, int, int x) { return at(i, x); };
    const auto byRow = [](int i, int y, int) { return y * 16 + i % 16; };
    for (const Pattern pattern : kPatterns) {
        expectLooks(judge(pattern, 48, 48, 48, sums(byColumn, right)), Looks::TileIndex,
                    "At row 0, column 16, a phase multiplies columns 16 to 31 of M by\n"
                    "rows 0 to 15 of N");
        expectLooks(judge(pattern, 48, 48, 48, sums(right, byRow)), Looks::TileIndex,
                    "At row 0, column 0, all phases use rows 0 to 15 of N.");
        expectLooks(judge(pattern, 48, 48, 48, sums(byRow, byRow)), Looks::TileIndex,
                    "all phases use columns 0 to 15 of M and rows 0 to 15 of N.");
        expectLooks(judge(pattern, 48, 48, 48, sums(byColumn, byColumn)), Looks::Right, "");
        // One wrong block of another kind takes the explanation away.
        const auto wrong = sums(byColumn, right);
        CHECK(judge(pattern, 48, 48, 48, ELEMENT(c < 47 ? wrong(M, N, r, c) : 1.5F)).looks !=
              Looks::TileIndex);
    }
}
