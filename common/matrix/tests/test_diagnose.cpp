#include <cmath>
#include <string>

#include "matrix/catalog.h"
#include "matrix/compare.h"
#include "matrix/pattern.h"
#include "matrix/tests/judged.h"

using namespace matrix_test;
using matrix::Comparison;
using matrix::Looks;
using matrix::Matrix;
using matrix::Pattern;

TEST_CASE("an untouched result looks never written", "[diagnose]") {
    const Comparison result = judge(Pattern::Uniform, 4, 5, 6, ELEMENT(NAN));
    CHECK(result.looks == Looks::NeverWritten);
    CHECK(result.wrong == 24U);
    CHECK(contains(result.explanation, "got nothing, expected "));
    CHECK(contains(result.explanation, "never written"));
}

TEST_CASE("gaps in the result look partly written", "[diagnose]") {
    expectLooks(
        judge(Pattern::Uniform, 8, 5, 8, ELEMENT((r + c) % 4 == 0 ? NAN : whole(M, N, r, c))),
        Looks::PartlyWritten, "All of these were never written");
}

TEST_CASE("an output that is added to but never set is not reported as never written",
          "[diagnose]") {
    const matrix::DataSet set = matrix::build({"", 4, 4, 4, Pattern::Uniform, 1});
    Matrix got = matrix::poisoned(4, 4);
    for (std::size_t i = 0; i < got.size(); ++i) {
        volatile float value = got.data()[i];
        value = value + 1.0F;
        got.data()[i] = value;
    }
    const Comparison result =
        matrix::compare(got, set.M, set.N, matrix::multiply(set.M, set.N), false);
    CHECK(result.looks == Looks::NotANumber);
    // RISC-V and GPUs replace the payload, so they get the general sentence.
    CHECK(contains(result.explanation, "NaN or infinite"));
    // A value that is added may be uninitialized: a tile without __shared__ looks the same.
    CHECK(contains(result.explanation, "a sum, or a value that is added to it") !=
          contains(result.explanation, "a sum or an index"));
}

TEST_CASE("only sums that are all wrong by the same number are reported so", "[diagnose]") {
    for (const float off : {8.0F, 1.0F, -3.0F}) {
        const Comparison result =
            judge(Pattern::SmallIntegers, 8, 5, 8, ELEMENT(whole(M, N, r, c) + off));
        expectLooks(result, Looks::Other,
                    off == 8   ? "is 8 too large"
                    : off == 1 ? "is 1 too large"
                               : "is 3 too small");
    }
    expectLooks(
        judge(Pattern::SmallIntegers, 8, 5, 8, ELEMENT(whole(M, N, r, c) + (r == 0 ? 8.0F : 7.0F))),
        Looks::Other, "no pattern");
}

TEST_CASE("a sum in an uninitialized int is reported", "[diagnose]") {
    for (const Pattern pattern : {Pattern::SmallIntegers, Pattern::Uniform}) {
        const Comparison result = judge(pattern, 8, 5, 8, [](auto& M, auto& N, int r, int c) {
            int sum = 0x7FE5C0DE;
            for (int k = 0; k < M.cols(); ++k) sum += static_cast<int>(M(r, k) * N(k, c));
            return static_cast<float>(sum);
        });
        expectLooks(result, Looks::SumNotSet, "the sum is an int");
    }
    const Comparison farOff = judge(Pattern::SmallIntegers, 8, 5, 8, ELEMENT(1e9F * (c + 1)));
    CHECK(farOff.looks != Looks::SumNotSet);
}

TEST_CASE("NaN and infinity are named, with their number", "[diagnose]") {
    const matrix::DataSet set = matrix::build({"", 4, 4, 4, Pattern::Uniform, 1});
    Matrix got(4, 4, 1.0F);
    got(1, 1) = NAN;
    got(2, 2) = -INFINITY;
    const Comparison result =
        matrix::compare(got, set.M, set.N, matrix::multiply(set.M, set.N), false);
    expectLooks(result, Looks::NotANumber, "2 of these are NaN or infinite");
}

TEST_CASE("a sum or a tile that is an int cuts off fractions", "[diagnose]") {
    const auto inPhases = [](auto& M, auto& N, int r, int c) {
        int total = 0;
        for (int i = 0; i < M.cols(); ++i)
            total = static_cast<int>(static_cast<float>(total) + 3 * M(r, i) * N(i, c));
        return static_cast<float>(total);
    };
    const Element tileOfM =
        ELEMENT(total(0, M.cols(), [&](int i) { return std::trunc(M(r, i)) * N(i, c); }));
    const Element tileOfN =
        ELEMENT(total(0, M.cols(), [&](int i) { return M(r, i) * std::trunc(N(i, c)); }));
    CHECK(judge(Pattern::Uniform, 9, 50, 9, inPhases).looks == Looks::FractionsCutOff);
    for (const Element& tile : {tileOfM, tileOfN}) {
        CHECK(judge(Pattern::WideMagnitudes, 9, 40, 9, tile).looks == Looks::FractionsCutOff);
        expectLooks(judge(Pattern::Uniform, 4, 5, 6, tile), Looks::AllZero,
                    "tiles must be float, not int");
    }
}

TEST_CASE("a result of zeros is named", "[diagnose]") {
    const auto zero = ELEMENT(0.0F);
    CHECK(judge(Pattern::SmallIntegers, 5, 6, 7, zero).looks == Looks::AllZero);
    CHECK(judge(Pattern::Uniform, 1, 6, 1, zero).looks == Looks::AllZero);
}

TEST_CASE("a transposed square result is named", "[diagnose]") {
    for (const Pattern pattern : kPatterns)
        CHECK(judge(pattern, 9, 9, 9, ELEMENT(whole(M, N, c, r))).looks == Looks::Transposed);
}

TEST_CASE("a rectangular result that is laid out transposed is named", "[diagnose]") {
    CHECK(judge(Pattern::Uniform, 4, 5, 7, [](auto& M, auto& N, int r, int c) {
              const int flat = r * 7 + c;
              return whole(M, N, flat % 4, flat / 4);
          }).looks == Looks::Transposed);
}

TEST_CASE("the product of swapped operands is named", "[diagnose]") {
    for (const Pattern pattern : kPatterns)
        CHECK(judge(pattern, 9, 9, 9, ELEMENT(whole(N, M, r, c))).looks == Looks::SwappedOperands);
}

TEST_CASE("an operand read transposed is named", "[diagnose]") {
    expectLooks(judge(Pattern::Uniform, 9, 9, 9, ELEMENT(whole(transposeOf(M), N, r, c))),
                Looks::TransposedOperand, "reads M down its columns");
    expectLooks(judge(Pattern::SmallIntegers, 9, 9, 9, ELEMENT(whole(M, transposeOf(N), r, c))),
                Looks::TransposedOperand, "reads N along its rows");
}

TEST_CASE("a trailing band of rows, columns or both is named", "[diagnose]") {
    struct Row {
        int rows, cols;  // how many of the first are right
        float value;
        const char* sentence;
    };
    const Row rows[] = {
        {16, 21, NAN, "Only the last row is never written"},
        {17, 16, NAN, "Only the last 5 of 21 columns are never written"},
        {16, 16, NAN, "Only the last row and the last 5 of 21 columns are never written"},
        {15, 21, 0.0F, "Only the last 2 of 17 rows are all 0"},
        {17, 20, 12345.0F, "Only the last column is wrong"},
    };
    for (const Pattern pattern : kPatterns)
        for (const Row& row : rows)
            expectLooks(
                judge(pattern, 17, 12, 21,
                      ELEMENT(r < row.rows && c < row.cols ? whole(M, N, r, c) : row.value)),
                Looks::LastRowsOrColumns, row.sentence);
}

TEST_CASE("a single wrong corner is no trailing band", "[diagnose]") {
    CHECK(judge(Pattern::Uniform, 9, 9, 9,
                ELEMENT(whole(M, N, r, c) + (r == 8 && c == 8 ? 5.0F : 0.0F)))
              .looks == Looks::Other);
}

TEST_CASE("missing phases are named, with the number of summed products", "[diagnose]") {
    struct Row {
        int k, begin, end;
        const char* sentence;
    };
    const Row rows[] = {
        {17, 0, 16, "only the first 16 of its 17 products"},
        {100, 0, 96, "only the first 96 of its 100 products"},
        {64, 0, 48, "leaves the others out, or phases are missing."},
        {64, 16, 64, "only the last 48 of its 64 products"},
        {19, 16, 19, "only the last 3 of its 19 products"},
        {30, 0, 29, "a loop or a condition leaves the others out"},
        {19, 16, 19, "Or the sum is set to 0 in each phase."},
        {30, 29, 30, "only the last of its 30 products"},
        {30, 29, 30, "instead of being added to it (+=)"},
        {30, 0, 1, "only the first of its 30 products"},
    };
    for (const Pattern pattern : kPatterns)
        for (const Row& row : rows)
            expectLooks(judge(pattern, 11, row.k, 13, ELEMENT(sum(M, N, r, c, row.begin, row.end))),
                        Looks::MissingPhases, row.sentence);
}

TEST_CASE("if zeros leave the count open, phases end at the widest tile's edge", "[diagnose]") {
    Matrix M = matrix::generate(Pattern::Uniform, 6, 20, 1);
    const Matrix N = matrix::generate(Pattern::Uniform, 20, 6, 2);
    Matrix got(6, 6);
    for (int r = 0; r < 6; ++r) {
        for (int i = 12; i < 16; ++i) M(r, i) = 0.0F;
        for (int c = 0; c < 6; ++c) got(r, c) = sum(M, N, r, c, 16, 20);
    }
    const Comparison result = matrix::compare(got, M, N, matrix::multiply(M, N), false);
    expectLooks(result, Looks::MissingPhases, "only the last 4 of its 20 products");
    CHECK(contains(result.explanation, "or phases are missing"));
}

TEST_CASE("too few wrong elements of exact data name no neighbour", "[diagnose]") {
    CHECK(judge(Pattern::SmallIntegers, 9, 8, 9,
                ELEMENT(whole(M, N, r, r == 3 && c == 3 ? c + 1 : c)))
              .looks == Looks::Other);
}

TEST_CASE("too few wrong elements of exact data name no missing phase", "[diagnose]") {
    CHECK(judge(Pattern::SmallIntegers, 9, 40, 9,
                ELEMENT(sum(M, N, r, c, 0, r == 3 && c == 3 ? 32 : 40)))
              .looks == Looks::Other);
}

TEST_CASE("one wrong element that does not fit takes the explanation away", "[diagnose]") {
    const auto spoilt = [](const Element& element) {
        return [element](auto& M, auto& N, int r, int c) {
            return r == 4 && c == 2 ? 7777.0F : element(M, N, r, c);
        };
    };
    const Element elements[] = {
        ELEMENT(whole(M, N, c, r)),           ELEMENT(whole(N, M, r, c)),
        ELEMENT(sum(M, N, r, c, 0, 4)),       ELEMENT(2 * whole(M, N, r, c)),
        ELEMENT(whole(M, N, r, (c + 1) % 9)), ELEMENT(c < 8 ? whole(M, N, r, c) : -999.0F),
    };
    for (const Pattern pattern : {Pattern::SmallIntegers, Pattern::Uniform})
        for (const Element& element : elements) {
            const Comparison result = judge(pattern, 9, 9, 9, spoilt(element));
            INFO(result.explanation);
            CHECK(result.looks == Looks::Other);
        }
}

TEST_CASE("a whole multiple of the result is named", "[diagnose]") {
    expectLooks(judge(Pattern::Uniform, 9, 9, 9, ELEMENT(3 * whole(M, N, r, c))), Looks::Multiple,
                "is 3 times");
}

TEST_CASE("a result shifted by one element is named with its direction", "[diagnose]") {
    expectLooks(judge(Pattern::Uniform, 9, 8, 9, ELEMENT(whole(M, N, r, (c + 1) % 9))),
                Looks::NeighbouringElement, "one column to the right");
    expectLooks(judge(Pattern::SmallIntegers, 9, 8, 9, ELEMENT(whole(M, N, (r + 8) % 9, c))),
                Looks::NeighbouringElement, "one row above");
}

TEST_CASE("whole rows or columns in other places are named with the first", "[diagnose]") {
    const auto mixed = [](int at, int of) { return at % 4 * (of / 4) + at / 4; };
    expectLooks(judge(Pattern::SmallIntegers, 16, 8, 12, ELEMENT(whole(M, N, mixed(r, 16), c))),
                Looks::RowsElsewhere, "row 1 holds the sums of row 4.");
    expectLooks(judge(Pattern::Uniform, 12, 8, 16, ELEMENT(whole(M, N, r, mixed(c, 16)))),
                Looks::RowsElsewhere, "column 1 holds the sums of column 4.");
    expectLooks(judge(Pattern::SmallIntegers, 16, 8, 12,
                      ELEMENT(whole(M, N, mixed(r, 16), c) + static_cast<float>(r == 3))),
                Looks::Other, "no pattern");
}

TEST_CASE("scattered faults get no explanation", "[diagnose]") {
    expectLooks(judge(Pattern::Uniform, 9, 8, 9,
                      ELEMENT(whole(M, N, r, c) + static_cast<float>((r * 5 + c * 3) % 7))),
                Looks::Other, "no pattern that the tests know");
}

TEST_CASE("every verdict has a name of its own", "[diagnose]") {
    CHECK(std::string(matrix::name(Looks::SwappedOperands)) == "product the wrong way round");
    CHECK(std::string(matrix::name(Looks::LastRowsOrColumns)) == "last rows or columns wrong");
    CHECK(std::string(matrix::name(Looks::MissingPhases)) == "phases missing");
    CHECK(std::string(matrix::name(Looks::NeverWritten)) == "never written");
    CHECK(std::string(matrix::name(Looks::Other)) == "wrong");
}

TEST_CASE("tiles that are transposed one by one are named, with their width", "[diagnose]") {
    const auto turned = [](const Matrix& m, int tile, int r, int c) {
        return m(r / tile * tile + c % tile, c / tile * tile + r % tile);
    };
    const auto product = [&](int tile, bool ofM, bool ofN) {
        return ELEMENT(total(0, M.cols(), [&](int i) {
            return (ofM ? turned(M, tile, r, i) : M(r, i)) *
                   (ofN ? turned(N, tile, i, c) : N(i, c));
        }));
    };
    struct Row {
        int j, k, l, tile;
        bool ofM, ofN;
        const char* which;
    };
    const Row rows[] = {{32, 32, 32, 16, true, false, "tile of M transposed, tiles 16 wide"},
                        {32, 32, 32, 16, false, true, "tile of N transposed, tiles 16 wide"},
                        {16, 16, 16, 4, true, true, "tile of M and of N transposed, tiles 4 wide"},
                        {16, 24, 8, 8, true, false, "tile of M transposed, tiles 8 wide"},
                        {16, 24, 8, 8, false, true, "tile of N transposed, tiles 8 wide"}};
    for (const Pattern pattern : kPatterns)
        for (const Row& row : rows)
            expectLooks(judge(pattern, row.j, row.k, row.l, product(row.tile, row.ofM, row.ofN)),
                        Looks::TurnedTile, row.which);
}

TEST_CASE("a tile of zeros beyond an edge is not taken for a transposed one", "[diagnose]") {
    // M has one row: transposed, it would leave the first product of each tile.
    const Comparison result =
        judge(Pattern::Uniform, 1, 33, 9,
              ELEMENT(M(r, 0) * N(0, c) + M(r, 16) * N(16, c) + M(r, 32) * N(32, c)));
    INFO(result.explanation);
    CHECK(result.looks == Looks::Other);
}

TEST_CASE("a wrong element of a tile is named with both indices", "[diagnose]") {
    struct Row {
        const char* sentence;
        // For thread (ty, tx) and product k: the elements it reads of M's and N's tiles.
        int (*rowOfM)(int ty, int tx, int k);
        int (*colOfM)(int ty, int tx, int k);
        int (*rowOfN)(int ty, int tx, int k);
        int (*colOfN)(int ty, int tx, int k);
        bool phaseOfM = false;  // the column of M's tile is the number of the phase
    };
    const auto ty = [](int y, int, int) { return y; };
    const auto tx = [](int, int x, int) { return x; };
    const auto k = [](int, int, int i) { return i; };
    const Row rows[] = {
        {"elements [ty][k] of M's tiles and [ty][k] of N's", ty, k, ty, k},
        {"elements [ty][tx] of M's tiles and [ty][tx] of N's", ty, tx, ty, tx},
        {"elements [tx][k] of M's tiles and [k][tx] of N's", tx, k, k, tx},
        {"elements [ty][ph] of M's tiles and [k][tx] of N's", ty, k, k, tx, true},
    };
    constexpr int tile = 8, size = 24;
    for (const Pattern pattern : kPatterns)
        for (const Row& row : rows) {
            const auto element = ELEMENT(total(0, size, [&](int i) {
                const int y = r % tile, x = c % tile, ph = i / tile * tile, p = i % tile;
                const int col = row.phaseOfM ? ph / tile : row.colOfM(y, x, p);
                return M(r - y + row.rowOfM(y, x, p), ph + col) *
                       N(ph + row.rowOfN(y, x, p), c - x + row.colOfN(y, x, p));
            }));
            expectLooks(judge(pattern, size, size, size, element), Looks::TileIndex, row.sentence);
        }
}

TEST_CASE("rows or columns with one value each are named", "[diagnose]") {
    for (const Pattern pattern : kPatterns) {
        // N[Row * Width + k] instead of N[k * Width + Col].
        expectLooks(
            judge(pattern, 9, 9, 9, ELEMENT(total(0, 9, [&](int i) { return M(r, i) * N(r, i); }))),
            Looks::OneValueEach, "Use Col in the index of N.");
        // M[k * Width + Col] instead of M[Row * Width + k].
        expectLooks(
            judge(pattern, 9, 9, 9, ELEMENT(total(0, 9, [&](int i) { return M(i, c) * N(i, c); }))),
            Looks::OneValueEach, "Use Row in the index of M.");
        CHECK(judge(pattern, 9, 9, 9, ELEMENT(5.5F)).looks == Looks::Other);
    }
}

TEST_CASE("an index without k is named, for M and for N", "[diagnose]") {
    for (const Pattern pattern : kPatterns)
        for (const bool ofM : {true, false})
            expectLooks(
                judge(
                    pattern, 9, 9, 9,
                    ELEMENT(total(
                        0, 9, [&](int i) { return ofM ? M(r, c) * N(i, c) : M(r, i) * N(r, c); }))),
                Looks::WithoutK,
                std::string("the variable of its loop\nin the index of ") + (ofM ? "M," : "N,"));
}
