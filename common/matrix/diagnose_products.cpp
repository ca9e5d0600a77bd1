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

// Returns whether the result is laid out as (M N)^T: (r, c) lies at [c * rows + r] of the buffer.
bool isTransposed(const Failure& failure) {
    const auto rows = static_cast<std::size_t>(failure.got.rows());
    const auto cols = static_cast<std::size_t>(failure.got.cols());
    return failure.isExplainedBy([&](int r, int c) {
        const std::size_t flat = failure.got.index(r, c);
        return failure.right(flat % rows * cols + flat / rows);
    });
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
                "Every element is a whole number, though the inputs are not: fractions are\n"
                "cut off. Is Pvalue or a tile an int?"};
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
                                  " cut off: is its tile an int?")};
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
        return {Looks::SwappedOperands, "It is N M, the product the wrong way round."};
    if (fits(false, true, false))
        return {Looks::TransposedOperand,
                "It is the transpose of M, times N: M is read down its columns."};
    if (fits(false, false, true))
        return {Looks::TransposedOperand,
                "It is M times the transpose of N: N is read along its rows."};
    return {};
}

}  // namespace matrix
