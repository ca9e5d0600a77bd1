// Judges results of wrong kernels, given element by element.
#pragma once

#include <cmath>
#include <functional>
#include <string>

#include "matrix/catalog.h"
#include "matrix/compare.h"
#include "matrix/pattern.h"
#include "matrix/tests/helpers.h"
#include "testing/catch.h"

namespace matrix_test {

using Element = std::function<float(const matrix::Matrix&, const matrix::Matrix&, int, int)>;

// An element as an expression of M, N, its row r and its column c.
#define ELEMENT(...)                                                                        \
    [=]([[maybe_unused]] const matrix::Matrix& M, [[maybe_unused]] const matrix::Matrix& N, \
        [[maybe_unused]] int r, [[maybe_unused]] int c) -> float { return __VA_ARGS__; }

// Judges the matrix whose elements a wrong kernel computes as element(M, N, row, column) does.
inline matrix::Comparison judge(matrix::Pattern pattern, int j, int k, int l,
                                const Element& element) {
    const matrix::DataSet set = matrix::build({"", j, k, l, pattern, 1});
    matrix::Matrix got = matrix::poisoned(j, l);
    const matrix::Matrix untouched = got;
    for (int r = 0; r < j; ++r)
        for (int c = 0; c < l; ++c) {
            const float value = element(set.M, set.N, r, c);
            // NaN means an element that the kernel does not write.
            if (!std::isnan(value)) got(r, c) = value;
        }
    return matrix::compare(got, set.M, set.N, matrix::multiply(set.M, set.N),
                           matrix::isExact(pattern, k));
}

// Checks the verdict on a wrong result, and that the explanation contains this part.
inline void expectLooks(const matrix::Comparison& result, matrix::Looks looks,
                        const std::string& part) {
    INFO(result.explanation);
    CHECK(result.looks == looks);
    CHECK(contains(result.explanation, part));
}

// Returns the sum of term(i) for i from begin up to end.
template <class Term>
float total(int begin, int end, Term term) {
    float sum = 0.0F;
    for (int i = begin; i < end; ++i) sum += term(i);
    return sum;
}

inline float sum(const matrix::Matrix& M, const matrix::Matrix& N, int r, int c, int begin,
                 int end) {
    return total(begin, end, [&](int i) { return M(r, i) * N(i, c); });
}

inline float whole(const matrix::Matrix& M, const matrix::Matrix& N, int r, int c) {
    return sum(M, N, r, c, 0, M.cols());
}

inline constexpr matrix::Pattern kPatterns[] = {
    matrix::Pattern::SmallIntegers, matrix::Pattern::Uniform, matrix::Pattern::WideMagnitudes};

}  // namespace matrix_test
