#include "matrix/compare.h"

#include <cstdio>
#include <iterator>
#include <limits>

#include "matrix/diagnose.h"
#include "matrix/input_error.h"

namespace matrix {

namespace {

constexpr std::size_t kShown = 5;

std::string shape(int rows, int cols) { return words::joined(rows, " x ", cols); }

void checkShapes(const Matrix& got, const Matrix& M, const Matrix& N, const Reference& reference) {
    const std::string wanted = shape(reference.rows, reference.cols);
    const std::string operands = shape(M.rows(), M.cols()) + " times " + shape(N.rows(), N.cols());
    if (M.rows() != reference.rows || N.cols() != reference.cols || M.cols() != reference.inner ||
        N.rows() != reference.inner)
        throw InputError("the reference, ", wanted, " from ", reference.inner,
                         " terms, does not belong to ", operands,
                         "; compute it from these matrices");
    if (got.rows() != reference.rows || got.cols() != reference.cols)
        throw InputError("the result is ", shape(got.rows(), got.cols()), ", but ", operands,
                         " gives ", wanted, "; give the result that shape");
}

std::string number(const char* format, double value) {
    char text[40];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string describe(const Failure& failure, std::size_t i) {
    const auto cols = static_cast<std::size_t>(failure.got.cols());
    const float got = failure.got.data()[i];
    std::string line =
        words::joined("  row ", i / cols, ", column ", i % cols, ": got ",
                      isPoison(got) ? "nothing" : number("%.9g", static_cast<double>(got)),
                      ", expected ", number("%.9g", failure.reference.product[i]));
    if (!failure.exact) {
        const double bound = errorBound(failure.reference.inner, failure.reference.magnitude[i]);
        line += ", bound " + number("%.2g", bound);
    }
    return line;
}

std::string explain(const Failure& failure, const std::string& sentence) {
    const std::size_t wrong = failure.wrong.size();
    std::string text = words::joined(
        wrong, " of ", failure.got.size(), failure.got.size() == 1 ? " element" : " elements",
        wrong == 1 ? " is wrong" : " are wrong",
        wrong > kShown ? words::joined("; the first ", kShown) : "", ":\n");
    for (std::size_t i = 0; i < wrong && i < kShown; ++i)
        text += describe(failure, failure.wrong[i]) + "\n";
    return text + sentence;
}

}  // namespace

const char* name(Looks looks) {
    // In the order of Looks.
    static constexpr const char* kNames[] = {"right",
                                             "never written",
                                             "partly written",
                                             "not a number",
                                             "sum not set",
                                             "all zero",
                                             "transposed",
                                             "product the wrong way round",
                                             "operand transposed",
                                             "tile transposed",
                                             "tile index wrong",
                                             "one value a row or column",
                                             "index without k",
                                             "last rows or columns wrong",
                                             "phases missing",
                                             "a multiple of the result",
                                             "shifted by one element",
                                             "fractions cut off",
                                             "another operation",
                                             "one operand twice",
                                             "row length wrong",
                                             "rows in other places",
                                             "products of a tile missing",
                                             "wrong"};
    static_assert(std::size(kNames) == static_cast<std::size_t>(Looks::Other) + 1);
    return kNames[static_cast<std::size_t>(looks)];
}

Matrix poisoned(int rows, int cols) {
    Matrix m(rows, cols);
    // memcpy, because some processors set the quiet bit of a signalling NaN assigned as a float.
    for (std::size_t i = 0; i < m.size(); ++i)
        std::memcpy(m.data() + i, &kPoisonBits, sizeof kPoisonBits);
    return m;
}

double errorBound(int k, double magnitude) {
    constexpr double kUnit = 0x1p-24;
    const double growth = (static_cast<double>(k) + 1.0) * kUnit;
    return growth / (1.0 - growth) * magnitude + k * 0x1p-149;
}

Comparison compare(const Matrix& got, const Matrix& M, const Matrix& N, const Reference& reference,
                   bool exact) {
    checkShapes(got, M, N, reference);
    Failure failure{got, M, N, reference, exact, {}};
    Comparison result;
    result.largestError = -1.0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const Expected expected = failure.right(i);
        if (!failure.agrees(got.data()[i], expected)) failure.wrong.push_back(i);
        double error = std::fabs(static_cast<double>(got.data()[i]) - expected.value);
        if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
        if (error > result.largestError) {
            result.largestError = error;
            result.itsBound = exact ? 0.0 : errorBound(reference.inner, expected.magnitude);
        }
    }
    result.wrong = failure.wrong.size();
    result.passed = failure.wrong.empty();
    if (result.passed) {
        result.explanation = words::joined("all ", got.size(), " elements are right");
        if (!exact)
            result.explanation += "; the largest error is " + number("%.2g", result.largestError) +
                                  ", its bound " + number("%.2g", result.itsBound);
        return result;
    }
    const Guess guess = diagnose(failure);
    result.looks = guess.looks;
    result.sentence = guess.sentence;
    result.explanation = explain(failure, guess.sentence);
    return result;
}

}  // namespace matrix
