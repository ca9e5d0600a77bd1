// Recognizes results that are another product than the right one: of other operands, of other
// elements, of parts of the sums, or of tiles with wrong indices (Mds[k][ty] for Mds[ty][k]).
#include <algorithm>
#include <string>

#include "matrix/diagnose.h"
#include "text/joined.h"

namespace matrix {

namespace {

template <typename Left, typename Right>
Expected innerProduct(int inner, Left left, Right right) {
    Expected sum;
    for (int i = 0; i < inner; ++i) sum.addProduct(left(i), right(i));
    return sum;
}

// Tells whether the result is laid out as (M N)^T: (r, c) lies at [c * rows + r] of the buffer.
bool isTransposed(const Failure& failure) {
    const auto rows = static_cast<std::size_t>(failure.got.rows());
    const auto cols = static_cast<std::size_t>(failure.got.cols());
    return failure.isExplainedBy([&](int r, int c) {
        const std::size_t flat = failure.got.index(r, c);
        return failure.right(flat % rows * cols + flat / rows);
    });
}

// Tells whether each line (row or column) of got has one value, not the same in all lines, although
// lines of the right result have several.
bool oneValueEach(const Failure& failure, bool rows) {
    const int lines = rows ? failure.got.rows() : failure.got.cols();
    const int length = rows ? failure.got.cols() : failure.got.rows();
    // A line of two or three whole numbers sometimes has one value by chance.
    if (lines < 2 || length < 4) return false;
    bool linesDiffer = false, rightOnesDiffer = false;
    for (int line = 0; line < lines; ++line)
        for (int i = 0; i < length; ++i) {
            const int r = rows ? line : i, c = rows ? i : line;
            const float first = rows ? failure.got(line, 0) : failure.got(0, line);
            if (failure.got(r, c) != first) return false;
            linesDiffer |= first != failure.got(0, 0);
            const auto at = [&](int row, int col) {
                return failure.reference.product[failure.got.index(row, col)];
            };
            rightOnesDiffer |= at(r, c) != (rows ? at(line, 0) : at(0, line));
        }
    return linesDiffer && rightOnesDiffer;
}

// Tells whether every element is `factor`'s element at its place times the sum of its row of M or
// column of N: M[Row * Width + Col] instead of M[Row * Width + k].
bool isFactorOfSum(const Failure& failure, bool factorOfM) {
    const Matrix& factor = factorOfM ? failure.M : failure.N;
    if (factor.rows() < failure.got.rows() || factor.cols() < failure.got.cols()) return false;
    return failure.isExplainedBy([&](int r, int c) {
        Expected sum;
        for (int i = 0; i < failure.reference.inner; ++i)
            sum.addProduct(factor(r, c), factorOfM ? failure.N(i, c) : failure.M(r, i));
        return sum;
    });
}

// Returns the partial sums of one element: partial[p] is the sum of its first p products, or its
// last p.
std::vector<Expected> partialSums(const Failure& failure, std::size_t element, bool fromTheEnd) {
    const int inner = failure.reference.inner;
    const auto cols = static_cast<std::size_t>(failure.got.cols());
    const int r = static_cast<int>(element / cols);
    const int c = static_cast<int>(element % cols);
    std::vector<Expected> partial(static_cast<std::size_t>(inner) + 1);
    Expected sum;
    for (int p = 0; p < inner; ++p) {
        const int i = fromTheEnd ? inner - 1 - p : p;
        sum.addProduct(failure.M(r, i), failure.N(i, c));
        partial[static_cast<std::size_t>(p) + 1] = sum;
    }
    return partial;
}

// Returns the numbers of products that explain every wrong element, ascending.
std::vector<int> fittingCounts(const Failure& failure, bool fromTheEnd) {
    const int inner = failure.reference.inner;
    std::vector<int> counts;
    for (int p = 1; p < inner; ++p) counts.push_back(p);
    for (const std::size_t element : failure.wrong) {
        if (counts.empty()) break;
        const std::vector<Expected> partial = partialSums(failure, element, fromTheEnd);
        std::vector<int> still;
        for (const int p : counts)
            if (failure.agrees(failure.got.data()[element], partial[static_cast<std::size_t>(p)]))
                still.push_back(p);
        counts.swap(still);
    }
    return counts;
}

// Returns the widest usual tile that divides this number of products; 1 if there is none.
int tileAt(int products) {
    for (const int tile : {32, 16, 8, 4, 2})
        if (products % tile == 0) return tile;
    return 1;
}

// Returns the count at the edge of the widest tile: several counts fit if the products between
// them are 0. Tiles begin at the first product, also for a sum of the last ones.
int likeliest(const std::vector<int>& counts, int inner, bool fromTheEnd) {
    int best = counts.front();
    for (const int p : counts) {
        const auto edge = [&](int count) { return fromTheEnd ? inner - count : count; };
        if (tileAt(edge(p)) >= tileAt(edge(best))) best = p;
    }
    return best;
}

// An index of a tile is the thread's row or column in it, the number of the product, or that of the
// phase.
constexpr const char* kNames[] = {"ty", "tx", "k", "ph"};
constexpr int kTy = 0, kTx = 1, kK = 2;

// Row and column of an element of a tile, as positions in kNames.
struct Index {
    int row, col;
    bool is(int wantedRow, int wantedCol) const { return row == wantedRow && col == wantedCol; }
    std::string text() const { return words::joined("[", kNames[row], "][", kNames[col], "]"); }
};

// Tells whether these two indices, with tiles of this width, give the wrong product.
bool explains(const Failure& failure, int tile, const Index& ofM, const Index& ofN) {
    return failure.isExplainedBy([&](int r, int c) {
        Expected sum;
        for (int ph = 0; ph < failure.reference.inner; ph += tile)
            for (int k = 0; k < tile; ++k) {
                const int value[] = {r % tile, c % tile, k, ph / tile % tile};
                sum.addProduct(failure.M(r / tile * tile + value[ofM.row], ph + value[ofM.col]),
                               failure.N(ph + value[ofN.row], c / tile * tile + value[ofN.col]));
            }
        return sum;
    });
}

Guess turned(int tile, const char* which) {
    return {Looks::TurnedTile, words::joined("It is the product with each tile of ", which,
                                             " transposed, tiles ", tile,
                                             " wide.\nThe line that fills the tile, or the line "
                                             "that reads it, exchanges row and\ncolumn.")};
}

}  // namespace

Guess guessFractionsCutOff(const Failure& failure) {
    if (failure.exact) return {};
    const std::size_t size = failure.got.size();
    std::size_t wholeNumbers = 0, fractions = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const double right = failure.reference.product[i];
        const float got = failure.got.data()[i];
        if (got == std::trunc(got)) ++wholeNumbers;
        if (std::fabs(right - std::round(right)) >
            errorBound(failure.reference.inner, failure.reference.magnitude[i]))
            ++fractions;
    }
    if (wholeNumbers == size && 2 * fractions > size)
        return {Looks::FractionsCutOff,
                "Every element is a whole number, but the inputs are not: fractions are cut\noff. "
                "Pvalue and the tiles must be float, not int."};
    for (const bool ofM : {true, false}) {
        const auto product = [&](int r, int c) {
            return innerProduct(
                failure.reference.inner,
                [&](int i) { return ofM ? std::trunc(failure.M(r, i)) : failure.M(r, i); },
                [&](int i) { return ofM ? failure.N(i, c) : std::trunc(failure.N(i, c)); });
        };
        if (failure.isExplainedBy(product))
            return {Looks::FractionsCutOff,
                    words::joined("It is the product with the fractions of ", ofM ? "M" : "N",
                                  " cut off.\nIts tile must be float, not int.")};
    }
    return {};
}

Guess guessOtherProduct(const Failure& failure) {
    const Matrix &M = failure.M, &N = failure.N;
    const int inner = failure.reference.inner;
    if (isTransposed(failure))
        return {Looks::Transposed,
                "It is the transpose of the right result: row and column are exchanged."};
    // The other explanations need matrices that can be multiplied either way.
    if (M.rows() != inner || N.cols() != inner) return {};
    const auto fits = [&](bool swapped, bool transposeM, bool transposeN) {
        const Matrix& left = swapped ? N : M;
        const Matrix& right = swapped ? M : N;
        return failure.isExplainedBy([&](int r, int c) {
            return innerProduct(
                inner, [&](int i) { return transposeM ? left(i, r) : left(r, i); },
                [&](int i) { return transposeN ? right(c, i) : right(i, c); });
        });
    };
    if (fits(true, false, false))
        return {Looks::SwappedOperands,
                "It is N x M instead of M x N: M and N are exchanged in the kernel, in a copy\nor "
                "at the launch. Or the index of each matrix is row + column * width."};
    if (fits(false, true, false))
        return {Looks::TransposedOperand,
                "It is the transpose of M, times N: the kernel reads M down its columns."};
    if (fits(false, false, true))
        return {Looks::TransposedOperand,
                "It is M times the transpose of N: the kernel reads N along its rows."};
    return {};
}

Guess guessWithoutK(const Failure& failure) {
    for (const bool ofM : {true, false}) {
        const char* const m = ofM ? "M" : "N";
        if (isFactorOfSum(failure, ofM))
            return {Looks::WithoutK,
                    words::joined("Each sum takes the element of ", m,
                                  " at the row and column of its result, in "
                                  "every\nproduct. The line that adds the products must use "
                                  "the variable of its loop\nin the index of ",
                                  m, ", or of the tile of ", m, ".")};
    }
    return {};
}

Guess guessOneValueEach(const Failure& failure) {
    if (oneValueEach(failure, true))
        return {Looks::OneValueEach,
                "Each row holds one value in all of its columns: the sum does not depend on "
                "the\nthread's column, Col. Use Col in the index of N."};
    if (oneValueEach(failure, false))
        return {Looks::OneValueEach,
                "Each column holds one value in all of its rows: the sum does not depend on "
                "the\nthread's row, Row. Use Row in the index of M."};
    return {};
}

Guess guessMissingPhases(const Failure& failure) {
    if (failure.wrong.size() < evidenceNeeded(failure)) return {};
    const int inner = failure.reference.inner;
    for (const bool fromTheEnd : {false, true}) {
        const std::vector<int> counts = fittingCounts(failure, fromTheEnd);
        if (counts.empty()) continue;
        const int count = likeliest(counts, inner, fromTheEnd);
        const int edge = fromTheEnd ? inner - count : count;
        const int tile = tileAt(edge);
        const bool replaced = fromTheEnd && count == 1;
        std::string sentence = words::joined(
            "Each wrong element holds only the ", fromTheEnd ? "last " : "first ",
            count > 1 ? std::to_string(count) + " " : "", "of its ", inner, " products:\n");
        if (replaced)
            sentence += "each product replaces the sum (=) instead of being added to it (+=), or\n";
        // Tiles may have any width that divides these products, and a kernel may have none.
        sentence += tile > 1 ? "a loop or a condition leaves the others out, or phases are missing."
                             : "a loop or a condition leaves the others out.";
        if (fromTheEnd && !replaced && tile > 1)
            sentence += "\nOr the sum is set to 0 in each phase.";
        return {Looks::MissingPhases, sentence};
    }
    return {};
}

Guess guessTileIndices(const Failure& failure) {
    const Index wantedM{kTy, kK}, wantedN{kK, kTx};
    const int rows = failure.got.rows(), cols = failure.got.cols();
    const int inner = failure.reference.inner;
    for (const int tile : {32, 16, 8, 4, 2}) {
        // A matrix of a single tile shows nothing about tiles. Tiles that reach over its edge have
        // zeros there, and look transposed if the real mistake is a guard.
        if (tile >= std::max({rows, cols, inner})) continue;
        if (rows % tile + cols % tile + inner % tile > 0) continue;
        if (explains(failure, tile, {kK, kTy}, wantedN)) return turned(tile, "M");
        if (explains(failure, tile, wantedM, {kTx, kK})) return turned(tile, "N");
        if (explains(failure, tile, {kK, kTy}, {kTx, kK})) return turned(tile, "M and of N");
        // Indices without the phase come first: the phase's number may be 0, like other indices.
        for (int i = 0; i < 81 + 256; ++i) {
            const int n = i < 81 ? 3 : 4, j = i < 81 ? i : i - 81;
            const Index ofM{j / n / n / n, j / n / n % n}, ofN{j / n % n, j % n};
            if ((ofM.is(kTy, kK) && ofN.is(kK, kTx)) || (n > 3 && inner <= tile)) continue;
            if (explains(failure, tile, ofM, ofN))
                return {
                    Looks::TileIndex,
                    words::joined("It is the result of the elements ", ofM.text(),
                                  " of M's tiles and ", ofN.text(), " of N's, with tiles ", tile,
                                  " wide.\nThe product needs [ty][k] and [k][tx]. (k counts the "
                                  "products of a phase.)")};
        }
    }
    return {};
}

}  // namespace matrix
