// Recognizes results whose sums have other terms than the products of a row of M and a column of N:
// sums of elements, products of one matrix, rows of a wrong length, tiles that are not summed up.
#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "matrix/diagnose.h"
#include "text/joined.h"

namespace matrix {

namespace {

// Returns the element at row * length + col of a matrix's memory; NaN, which explains nothing,
// past its end.
float flat(const Matrix& matrix, int row, int length, int col) {
    const auto at = static_cast<std::size_t>(row) * static_cast<std::size_t>(length) +
                    static_cast<unsigned>(col);
    return at < matrix.size() ? matrix.data()[at] : std::numeric_limits<float>::quiet_NaN();
}

// Tests whether each element is the sum of term(sum, row, i, column) over all i.
template <typename Term>
bool isSumOf(const Failure& failure, Term term) {
    return failure.isExplainedBy([&](int r, int c) {
        Expected sum;
        for (int i = 0; i < failure.reference.inner; ++i) term(sum, r, i, c);
        return sum;
    });
}

void addTerm(Expected& sum, double m, double n) {
    sum.value += m + n;
    sum.magnitude += 2 * (std::fabs(m) + std::fabs(n));
}

}  // namespace

Guess guessOtherTerms(const Failure& failure) {
    const Matrix &M = failure.M, &N = failure.N;
    for (const int sign : {1, -1})
        if (isSumOf(failure, [&](Expected& sum, int r, int i, int c) {
                addTerm(sum, static_cast<double>(M(r, i)), sign * static_cast<double>(N(i, c)));
            }))
            return {Looks::OtherOperation,
                    words::joined("Each sum adds up M[Row][k] ", sign > 0 ? '+' : '-',
                                  " N[k][Col]: multiply them (*) instead.")};
    if (isSumOf(failure,
                [&](Expected& sum, int r, int i, int c) { sum.addProduct(-M(r, i), N(i, c)); }))
        return {Looks::OtherOperation,
                "Every element has the wrong sign: the products are subtracted (-=) instead "
                "of\nadded (+=)."};
    if (isSumOf(failure, [&](Expected& sum, int r, int i, int c) {
            for (int again = 0; again < (i == 0 ? 2 : 1); ++again) sum.addProduct(M(r, i), N(i, c));
        }))
        return {Looks::OtherOperation,
                "Each sum contains the first product twice: begin with 0, or start the loop at 1."};
    for (const bool ofM : {true, false}) {
        const Matrix& one = ofM ? M : N;
        const int inner = failure.reference.inner, cols = failure.got.cols();
        if (isSumOf(failure, [&](Expected& sum, int r, int i, int c) {
                sum.addProduct(flat(one, r, inner, i), flat(one, i, cols, c));
            }))
            return {Looks::OperandTwice,
                    words::joined("Each product takes both of its elements from ", ofM ? "M" : "N",
                                  ", none from ", ofM ? "N." : "M.")};
    }
    return {};
}

Guess guessRowLength(const Failure& failure) {
    const Matrix &M = failure.M, &N = failure.N;
    for (const bool ofM : {true, false})
        for (const int length : {M.rows(), M.cols(), N.cols()}) {
            const int own = ofM ? M.cols() : N.cols();
            if (length == own) continue;
            if (isSumOf(failure, [&](Expected& sum, int r, int i, int c) {
                    sum.addProduct(ofM ? flat(M, r, length, i) : M(r, i),
                                   ofM ? N(i, c) : flat(N, i, length, c));
                }))
                return {Looks::RowLength,
                        words::joined("It is the result with rows of ", ofM ? "M" : "N",
                                      " that are ", length, " elements long.\nA row has ", own,
                                      ": multiply the row by this length.")};
        }
    return {};
}

namespace {

// The tiles that a block multiplies in phase ph: M's of phase (ph + shift) % phases, or oneOfM in
// all phases; N's of phase ph, or oneOfN in all. -1: none of these.
struct TilesOfBlock {
    int tile, phases, shift, oneOfM, oneOfN;

    int ofM(int ph) const { return oneOfM < 0 ? (ph + shift) % phases : oneOfM; }
    int ofN(int ph) const { return oneOfN < 0 ? ph : oneOfN; }
};

// Returns all tiles that a block may use; the right ones come first.
std::vector<TilesOfBlock> waysToTakeTiles(int tile, int phases) {
    std::vector<TilesOfBlock> ways;
    for (int ofN = -1; ofN < phases; ++ofN) {
        for (int shift = 0; shift < phases; ++shift) ways.push_back({tile, phases, shift, -1, ofN});
        for (int ofM = 0; ofM < phases; ++ofM) ways.push_back({tile, phases, 0, ofM, ofN});
    }
    return ways;
}

// Tests whether these tiles give all results of the block whose first element is at (top, left).
bool explainBlock(const Failure& failure, const TilesOfBlock& tiles, int top, int left) {
    const int inner = failure.reference.inner, tile = tiles.tile;
    for (int r = top; r < std::min(top + tile, failure.got.rows()); ++r)
        for (int c = left; c < std::min(left + tile, failure.got.cols()); ++c) {
            Expected sum;
            for (int i = 0; i < tiles.phases * tile; ++i) {
                const int col = tiles.ofM(i / tile) * tile + i % tile;
                const int row = tiles.ofN(i / tile) * tile + i % tile;
                if (col < inner && row < inner)
                    sum.addProduct(failure.M(r, col), failure.N(row, c));
            }
            if (!failure.agrees(failure.got(r, c), sum)) return false;
        }
    return true;
}

std::string sentenceOn(const TilesOfBlock& tiles, int top, int left, int inner) {
    const auto part = [&](int phase) {
        return words::joined(phase * tiles.tile, " to ",
                             std::min((phase + 1) * tiles.tile, inner) - 1);
    };
    const std::string ofM = words::joined("columns ", part(tiles.ofM(0)), " of M");
    const std::string ofN = words::joined("rows ", part(tiles.ofN(0)), " of N");
    const std::string where = words::joined("At row ", top, ", column ", left);
    if (tiles.oneOfM < 0 && tiles.oneOfN < 0)
        return words::joined(where, ", a phase multiplies ", ofM, " by\n", ofN,
                             ", but both must have the same numbers. Compare the\nindices of the "
                             "two loads.");
    const bool both = tiles.oneOfM >= 0 && tiles.oneOfN >= 0;
    return words::joined(where, ", all phases use ", tiles.oneOfM < 0 ? ofN : ofM,
                         both ? " and " + ofN : "", ".\nCheck ph in the index of each load.");
}

}  // namespace

// Recognizes sums that multiply a tile of M by another phase's tile of N, or use one tile in all
// phases. Each block may do that in its own way; all of its elements must fit.
Guess guessTilesOfPhases(const Failure& failure) {
    const int inner = failure.reference.inner;
    if (failure.wrong.size() <= 16) return {};
    for (const int tile : {32, 16, 8}) {
        const std::vector<TilesOfBlock> ways = waysToTakeTiles(tile, (inner + tile - 1) / tile);
        std::string sentence;
        bool all = inner > tile;
        for (int top = 0; all && top < failure.got.rows(); top += tile)
            for (int left = 0; all && left < failure.got.cols(); left += tile) {
                const auto way = std::find_if(ways.begin(), ways.end(), [&](const auto& tiles) {
                    return explainBlock(failure, tiles, top, left);
                });
                all = way != ways.end();
                if (all && way != ways.begin() && sentence.empty())
                    sentence = sentenceOn(*way, top, left, inner);
            }
        if (all && !sentence.empty()) return {Looks::TileIndex, sentence};
    }
    return {};
}

namespace {

// Tests for products of two elements of one operand's tile.
bool takeBothFromTile(const Failure& failure, int tile, bool ofM) {
    const Matrix &M = failure.M, &N = failure.N;
    return isSumOf(failure, [&](Expected& sum, int r, int i, int c) {
        const int top = i - i % tile, k = i % tile;
        if (ofM)
            sum.addProduct(M(r, i), M(r - r % tile + k, top + c % tile));
        else
            sum.addProduct(N(top + r % tile, c - c % tile + k), N(i, c));
    });
}

// Tests for sums without the products of k in each tile.
bool lackProductOf(const Failure& failure, int tile, int k) {
    return isSumOf(failure, [&](Expected& sum, int r, int i, int c) {
        if (i % tile != k) sum.addProduct(failure.M(r, i), failure.N(i, c));
    });
}

// Tests for sums to which each phase adds the products of all phases so far.
bool addEarlierAgain(const Failure& failure, int tile) {
    const int last = (failure.reference.inner - 1) / tile;
    return isSumOf(failure, [&](Expected& sum, int r, int i, int c) {
        for (int again = i / tile; again <= last; ++again)
            sum.addProduct(failure.M(r, i), failure.N(i, c));
    });
}

Guess guessOfTile(const Failure& failure, int tile, bool first) {
    const int inner = failure.reference.inner;
    if (inner <= tile) return {};
    if (first && addEarlierAgain(failure, tile))
        return {Looks::Multiple,
                "The products of each phase are added again in each later phase: a sum of "
                "one\nphase must begin with 0 in each phase."};
    const bool whole = failure.M.rows() == inner && failure.N.cols() == inner;
    if (whole && inner % tile == 0 && takeBothFromTile(failure, tile, first))
        return {Looks::OperandTwice,
                words::joined("Each product takes both of its elements from ", first ? "M" : "N",
                              "'s tile, none from ", first ? "N" : "M", "'s.")};
    if (lackProductOf(failure, tile, first ? 0 : tile - 1))
        return {Looks::TileProducts,
                words::joined("Each sum lacks the ", first ? "first" : "last", " product of every ",
                              tile, ": the loop over k ", first ? "begins" : "ends", " one too ",
                              first ? "late." : "early.")};
    return {};
}

}  // namespace

Guess guessTileProducts(const Failure& failure) {
    for (const int tile : {32, 16, 8, 4})
        for (const bool first : {true, false})
            if (Guess guess = guessOfTile(failure, tile, first); guess.looks != Looks::Other)
                return guess;
    return {};
}

}  // namespace matrix
