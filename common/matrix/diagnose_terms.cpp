// Recognizes results whose sums have other terms than the products of a row of M and a column of N:
// sums of elements, products of one matrix, rows of a wrong length, tiles that are not summed up.
#include <algorithm>
#include <initializer_list>
#include <limits>

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

// Tells sums that multiply a tile of M by another phase's tile of N, or use one tile in all phases.
// Each block may do so in its own way; all of its elements must fit.
Guess guessTilesOfPhases(const Failure& failure) {
    const int rows = failure.got.rows(), cols = failure.got.cols(), inner = failure.reference.inner;
    if (failure.wrong.size() <= 16) return {};
    for (const int tile : {32, 16, 8}) {
        const int phases = (inner + tile - 1) / tile;
        // Tests whether a block takes M's tile of phase (ph + m) % phases, or m - phases in all,
        // and N's of phase ph, or n - 1 in all.
        const auto fits = [&](int top, int left, int m, int n) {
            for (int r = top; r < std::min(top + tile, rows); ++r)
                for (int c = left; c < std::min(left + tile, cols); ++c) {
                    Expected sum;
                    for (int i = 0; i < phases * tile; ++i) {
                        const int ph = i / tile, k = i % tile;
                        const int col = (m < phases ? (ph + m) % phases : m - phases) * tile + k;
                        const int row = (n == 0 ? ph : n - 1) * tile + k;
                        if (col < inner && row < inner)
                            sum.addProduct(failure.M(r, col), failure.N(row, c));
                    }
                    if (!failure.agrees(failure.got(r, c), sum)) return false;
                }
            return true;
        };
        std::string sentence;
        bool all = phases > 1;
        for (int top = 0; all && top < rows; top += tile)
            for (int left = 0; all && left < cols; left += tile) {
                const int ways = 2 * phases * (phases + 1);
                int i = 0;
                while (i < ways && !fits(top, left, i % (2 * phases), i / (2 * phases))) ++i;
                all = i < ways;
                if (i == 0 || !all || !sentence.empty()) continue;
                const int m = i % (2 * phases), n = i / (2 * phases);
                const auto part = [&](int phase) {
                    return words::joined(phase * tile, " to ",
                                         std::min((phase + 1) * tile, inner) - 1);
                };
                const std::string ofM =
                    words::joined("columns ", part(m < phases ? m : m - phases), " of M");
                const std::string ofN = words::joined("rows ", part(n == 0 ? 0 : n - 1), " of N");
                sentence = words::joined(
                    "At row ", top, ", column ", left,
                    m < phases && n == 0
                        ? words::joined(", a phase multiplies ", ofM, " by\n", ofN,
                                        ", but both must have the same numbers. Compare "
                                        "the\nindices of the two loads.")
                        : words::joined(", all phases use ", m < phases ? ofN : ofM,
                                        m >= phases && n > 0 ? " and " + ofN : "",
                                        ".\nCheck ph in the index of each load."));
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

Guess guessOfTile(const Failure& failure, int tile, bool first) {
    const int inner = failure.reference.inner;
    if (inner <= tile) return {};
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
