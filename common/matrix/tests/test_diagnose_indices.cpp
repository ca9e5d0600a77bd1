// Tests the diagnosis of wrong indices: transposed tiles, and indices that lack a variable.
#include <string>

#include "matrix/tests/judged.h"

using namespace matrix_test;
using matrix::Comparison;
using matrix::Looks;
using matrix::Matrix;
using matrix::Pattern;

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

TEST_CASE("an element of a tile in the place of another is named with both indices", "[diagnose]") {
    struct Row {
        const char* sentence;
        // For thread (ty, tx) and product k: the elements it reads of M's and N's tiles.
        int (*rowOfM)(int ty, int tx, int k);
        int (*colOfM)(int ty, int tx, int k);
        int (*rowOfN)(int ty, int tx, int k);
        int (*colOfN)(int ty, int tx, int k);
    };
    const auto ty = [](int y, int, int) { return y; };
    const auto tx = [](int, int x, int) { return x; };
    const auto k = [](int, int, int i) { return i; };
    const Row rows[] = {
        {"elements [ty][k] of M's tiles and [ty][k] of N's give", ty, k, ty, k},
        {"elements [ty][tx] of M's tiles and [ty][tx] of N's give", ty, tx, ty, tx},
        {"elements [tx][k] of M's tiles and [k][tx] of N's give, tiles 8 wide", tx, k, k, tx},
    };
    constexpr int tile = 8, size = 24;
    for (const Pattern pattern : kPatterns)
        for (const Row& row : rows) {
            const auto element = ELEMENT(total(0, size, [&](int i) {
                const int y = r % tile, x = c % tile, ph = i / tile * tile, p = i % tile;
                return M(r - y + row.rowOfM(y, x, p), ph + row.colOfM(y, x, p)) *
                       N(ph + row.rowOfN(y, x, p), c - x + row.colOfN(y, x, p));
            }));
            expectLooks(judge(pattern, size, size, size, element), Looks::TileIndex, row.sentence);
        }
}

TEST_CASE("rows or columns that hold one value each are named", "[diagnose]") {
    for (const Pattern pattern : kPatterns) {
        // N[Row * Width + k] in the place of N[k * Width + Col].
        expectLooks(
            judge(pattern, 9, 9, 9, ELEMENT(total(0, 9, [&](int i) { return M(r, i) * N(r, i); }))),
            Looks::OneValueEach, "Is it in the index of N?");
        // M[k * Width + Col] in the place of M[Row * Width + k].
        expectLooks(
            judge(pattern, 9, 9, 9, ELEMENT(total(0, 9, [&](int i) { return M(i, c) * N(i, c); }))),
            Looks::OneValueEach, "Is it in the index of M?");
        CHECK(judge(pattern, 9, 9, 9, ELEMENT(5.5F)).looks == Looks::Other);
    }
}

TEST_CASE("an index without k is named, of M and of N", "[diagnose]") {
    for (const Pattern pattern : kPatterns)
        for (const bool ofM : {true, false})
            expectLooks(
                judge(
                    pattern, 9, 9, 9,
                    ELEMENT(total(
                        0, 9, [&](int i) { return ofM ? M(r, c) * N(i, c) : M(r, i) * N(r, c); }))),
                Looks::WithoutK, std::string("is k in the index of ") + (ofM ? "M?" : "N?"));
}
