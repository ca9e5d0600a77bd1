// Products of tiles whose elements are taken from the wrong place: Mds[k][ty] for Mds[ty][k].
#include <algorithm>
#include <string>

#include "matrix/diagnose.h"
#include "matrix/explains_all.h"

namespace matrix {

namespace {

// What an index of a tile may be: the thread's row or column in it, or the number of the product.
constexpr const char* kNames[] = {"ty", "tx", "k"};
constexpr int kTy = 0, kTx = 1, kK = 2;

// Row and column of an element of a tile, as two of these.
struct Index {
    int row, col;
    bool is(int wantedRow, int wantedCol) const { return row == wantedRow && col == wantedCol; }
    std::string text() const { return std::string("[") + kNames[row] + "][" + kNames[col] + "]"; }
};

// Beyond its edge a matrix has zeros in the tiles.
float at(const Matrix& m, int row, int col) {
    return row < m.rows() && col < m.cols() ? m(row, col) : 0.0F;
}

// Whether the wrong product is what these two indices give, with tiles of this width.
bool explains(const Failure& failure, int tile, const Index& ofM, const Index& ofN) {
    const int phases = (failure.reference.inner + tile - 1) / tile;
    return explainsAll(failure, [&](int r, int c) {
        Expected sum;
        for (int ph = 0; ph < phases; ++ph)
            for (int k = 0; k < tile; ++k) {
                const int value[] = {r % tile, c % tile, k};
                const double product =
                    static_cast<double>(at(failure.M, r / tile * tile + value[ofM.row],
                                           ph * tile + value[ofM.col])) *
                    static_cast<double>(at(failure.N, ph * tile + value[ofN.row],
                                           c / tile * tile + value[ofN.col]));
                sum.value += product;
                sum.magnitude += std::fabs(product);
            }
        return sum;
    });
}

Guess turned(int tile, const char* which) {
    return {Looks::TurnedTile,
            std::string("It is the product with each tile of ") + which + " transposed, tiles " +
                std::to_string(tile) +
                " wide:\nrow and column are exchanged where the tile is filled, or where it is "
                "read."};
}

}  // namespace

Guess guessTileIndices(const Failure& failure) {
    const Index wantedM{kTy, kK}, wantedN{kK, kTx};
    const int largest = std::max({failure.got.rows(), failure.got.cols(), failure.reference.inner});
    for (const int tile : {32, 16, 8, 4, 2}) {
        // A matrix that is one tile says nothing of tiles.
        if (tile >= largest) continue;
        if (explains(failure, tile, {kK, kTy}, wantedN)) return turned(tile, "M");
        if (explains(failure, tile, wantedM, {kTx, kK})) return turned(tile, "N");
        if (explains(failure, tile, {kK, kTy}, {kTx, kK})) return turned(tile, "M and of N");
        for (int i = 0; i < 81; ++i) {
            const Index ofM{i / 27, i / 9 % 3}, ofN{i / 3 % 3, i % 3};
            if (ofM.is(kTy, kK) && ofN.is(kK, kTx)) continue;
            if (explains(failure, tile, ofM, ofN))
                return {Looks::TileIndex,
                        "It is what the elements " + ofM.text() + " of M's tiles and " +
                            ofN.text() + " of N's give, tiles " + std::to_string(tile) +
                            " wide;\nthe product takes [ty][k] and [k][tx]. (k counts the "
                            "products of a phase.)"};
        }
    }
    return {};
}

}  // namespace matrix
