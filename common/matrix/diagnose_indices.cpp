#include "matrix/diagnose.h"
#include "text/joined.h"

namespace matrix {

namespace {

// Returns whether each line (row or column) of got holds one value, not the same in all lines,
// where lines of the right result hold several.
bool oneValueEach(const Failure& failure, bool rows) {
    const int lines = rows ? failure.got.rows() : failure.got.cols();
    const int length = rows ? failure.got.cols() : failure.got.rows();
    // A line of two or three whole numbers sometimes holds one value by chance.
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

// Returns whether every element is `factor`'s element at its place times the sum of its row of M or
// column of N: M[Row * Width + Col] in the place of M[Row * Width + k].
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

}  // namespace

Guess guessWithoutK(const Failure& failure) {
    for (const bool ofM : {true, false}) {
        const char* const m = ofM ? "M" : "N";
        if (isFactorOfSum(failure, ofM))
            return {Looks::WithoutK,
                    words::joined(
                        "Each sum takes the element of ", m,
                        " at the place of its result, in every product:\nis k in the index of ", m,
                        "?")};
    }
    return {};
}

Guess guessOneValueEach(const Failure& failure) {
    if (oneValueEach(failure, true))
        return {Looks::OneValueEach,
                "Each row holds one value in all of its columns: the column of the thread, Col,\n"
                "does not reach the sum. Is it in the index of N?"};
    if (oneValueEach(failure, false))
        return {Looks::OneValueEach,
                "Each column holds one value in all of its rows: the row of the thread, Row,\n"
                "does not reach the sum. Is it in the index of M?"};
    return {};
}

}  // namespace matrix
