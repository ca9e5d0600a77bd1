// Recognizes results whose sums have other terms than the products of a row of M and a column of N:
// sums of elements, products of one matrix, rows of a wrong length, tiles that are not summed up.
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

Guess guessTileProducts(const Failure& failure) {
    const Matrix &M = failure.M, &N = failure.N;
    const int inner = failure.reference.inner;
    const bool whole = M.rows() == inner && N.cols() == inner;
    for (const int tile : {32, 16, 8, 4})
        for (const bool first : {true, false}) {
            if (inner <= tile) continue;
            if (whole && inner % tile == 0 &&
                isSumOf(failure, [&](Expected& sum, int r, int i, int c) {
                    const int top = i - i % tile, k = i % tile;
                    if (first)
                        sum.addProduct(M(r, i), M(r - r % tile + k, top + c % tile));
                    else
                        sum.addProduct(N(top + r % tile, c - c % tile + k), N(i, c));
                }))
                return {Looks::OperandTwice,
                        words::joined("Each product takes both of its elements from ",
                                      first ? "M" : "N", "'s tile, none from ", first ? "N" : "M",
                                      "'s.")};
            if (isSumOf(failure, [&](Expected& sum, int r, int i, int c) {
                    if (i % tile != (first ? 0 : tile - 1))
                        sum.addProduct(failure.M(r, i), failure.N(i, c));
                }))
                return {Looks::TileProducts,
                        words::joined("Each sum lacks the ", first ? "first" : "last",
                                      " product of every ", tile, ": the loop over k ",
                                      first ? "begins" : "ends", " one too ",
                                      first ? "late." : "early.")};
        }
    return {};
}

}  // namespace matrix
