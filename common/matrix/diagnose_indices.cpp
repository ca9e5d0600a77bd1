#include "matrix/diagnose.h"

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
                return failure.reference.product[static_cast<std::size_t>(row) *
                                                     static_cast<std::size_t>(failure.got.cols()) +
                                                 static_cast<std::size_t>(col)];
            };
            rightOnesDiffer |= at(r, c) != (rows ? at(line, 0) : at(0, line));
        }
    return linesDiffer && rightOnesDiffer;
}

// Returns whether every element is `factor`'s element at its place times the sum of its row of M or
// column of N: M[Row * Width + Col] in the place of M[Row * Width + k].
bool isFactorOfSum(const Failure& failure, bool factorOfM) {
    const Matrix& factor = factorOfM ? failure.M : failure.N;
    if (failure.wrong.size() < 2 || factor.rows() < failure.got.rows() ||
        factor.cols() < failure.got.cols())
        return false;
    for (int r = 0; r < failure.got.rows(); ++r)
        for (int c = 0; c < failure.got.cols(); ++c) {
            Expected sum;
            for (int i = 0; i < failure.reference.inner; ++i) {
                const double product =
                    static_cast<double>(factor(r, c)) *
                    static_cast<double>(factorOfM ? failure.N(i, c) : failure.M(r, i));
                sum.value += product;
                sum.magnitude += std::fabs(product);
            }
            if (!agrees(failure.got(r, c), sum, failure.reference.inner, failure.exact))
                return false;
        }
    return true;
}

}  // namespace

Guess guessWithoutK(const Failure& failure) {
    for (const bool ofM : {true, false}) {
        const std::string m = ofM ? "M" : "N";
        if (isFactorOfSum(failure, ofM))
            return {Looks::WithoutK, "Each sum takes the element of " + m +
                                         " at the place of its result, in every product:\nis "
                                         "k in the index of " +
                                         m + "?"};
    }
    return {};
}

Guess guessOneValueEach(const Failure& failure) {
    const struct {
        bool rows;
        const char* text;
    } kinds[] = {
        {true,
         "Each row holds one value in all of its columns: the column of the thread, Col,\n"
         "does not reach the sum. Is it in the index of N?"},
        {false,
         "Each column holds one value in all of its rows: the row of the thread, Row,\n"
         "does not reach the sum. Is it in the index of M?"},
    };
    for (const auto& kind : kinds)
        if (oneValueEach(failure, kind.rows)) return {Looks::OneValueEach, kind.text};
    return {};
}

}  // namespace matrix
