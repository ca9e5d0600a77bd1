// Recognizes products of tiles with wrong indices: Mds[k][ty] for Mds[ty][k].
#include <algorithm>
#include <string>

#include "matrix/diagnose.h"
#include "text/joined.h"

namespace matrix {

namespace {

// An index of a tile is the thread's row or column in it, or the number of the product.
constexpr const char* kNames[] = {"ty", "tx", "k"};
constexpr int kTy = 0, kTx = 1, kK = 2;

// Row and column of an element of a tile, as positions in kNames.
struct Index {
    int row, col;
    bool is(int wantedRow, int wantedCol) const { return row == wantedRow && col == wantedCol; }
    std::string text() const { return words::joined("[", kNames[row], "][", kNames[col], "]"); }
};

// Returns whether these two indices, with tiles of this width, give the wrong product.
bool explains(const Failure& failure, int tile, const Index& ofM, const Index& ofN) {
    return failure.isExplainedBy([&](int r, int c) {
        Expected sum;
        for (int ph = 0; ph < failure.reference.inner; ph += tile)
            for (int k = 0; k < tile; ++k) {
                const int value[] = {r % tile, c % tile, k};
                sum.addProduct(failure.M(r / tile * tile + value[ofM.row], ph + value[ofM.col]),
                               failure.N(ph + value[ofN.row], c / tile * tile + value[ofN.col]));
            }
        return sum;
    });
}

Guess turned(int tile, const char* which) {
    return {
        Looks::TurnedTile,
        words::joined(
            "It is the product with each tile of ", which, " transposed, tiles ", tile,
            " wide:\nrow and column are exchanged where the tile is filled, or where it is read.")};
}

}  // namespace

Guess guessTileIndices(const Failure& failure) {
    const Index wantedM{kTy, kK}, wantedN{kK, kTx};
    const int rows = failure.got.rows(), cols = failure.got.cols();
    const int inner = failure.reference.inner;
    for (const int tile : {32, 16, 8, 4, 2}) {
        // A matrix of a single tile shows nothing about tiles. Tiles that reach over its edge hold
        // zeros there and look transposed where the true mistake is a guard.
        if (tile >= std::max({rows, cols, inner})) continue;
        if (rows % tile + cols % tile + inner % tile > 0) continue;
        if (explains(failure, tile, {kK, kTy}, wantedN)) return turned(tile, "M");
        if (explains(failure, tile, wantedM, {kTx, kK})) return turned(tile, "N");
        if (explains(failure, tile, {kK, kTy}, {kTx, kK})) return turned(tile, "M and of N");
        for (int i = 0; i < 81; ++i) {
            const Index ofM{i / 27, i / 9 % 3}, ofN{i / 3 % 3, i % 3};
            if (ofM.is(kTy, kK) && ofN.is(kK, kTx)) continue;
            if (explains(failure, tile, ofM, ofN))
                return {
                    Looks::TileIndex,
                    words::joined("It is what the elements ", ofM.text(), " of M's tiles and ",
                                  ofN.text(), " of N's give, tiles ", tile,
                                  " wide;\nthe product takes [ty][k] and [k][tx]. (k counts the "
                                  "products of a phase.)")};
        }
    }
    return {};
}

}  // namespace matrix
