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

// Judges the matrix whose elements a wrong kernel computes as element(M, N, row, column) does.
inline matrix::Comparison judge(matrix::Pattern pattern, int j, int k, int l,
                                const Element& element) {
    const matrix::DataSet set = matrix::build({"", j, k, l, pattern, 1});
    matrix::Matrix got = matrix::poisoned(j, l);
    const matrix::Matrix untouched = got;
    for (int r = 0; r < j; ++r)
        for (int c = 0; c < l; ++c) {
            const float value = element(set.M, set.N, r, c);
            // NaN stands for an element that the kernel does not write.
            if (!std::isnan(value)) got(r, c) = value;
        }
    return matrix::compare(got, set.M, set.N, matrix::multiply(set.M, set.N),
                           matrix::isExact(pattern, k));
}

// Checks what a wrong result is taken for, and that the explanation holds this part.
inline void expectLooks(const matrix::Comparison& result, matrix::Looks looks,
                        const std::string& part) {
    INFO(result.explanation);
    CHECK(result.looks == looks);
    CHECK(contains(result.explanation, part));
}

inline float sum(const matrix::Matrix& M, const matrix::Matrix& N, int r, int c, int begin,
                 int end) {
    float total = 0.0F;
    for (int i = begin; i < end; ++i) total += M(r, i) * N(i, c);
    return total;
}

inline float whole(const matrix::Matrix& M, const matrix::Matrix& N, int r, int c) {
    return sum(M, N, r, c, 0, M.cols());
}

inline constexpr matrix::Pattern kPatterns[] = {
    matrix::Pattern::SmallIntegers, matrix::Pattern::Uniform, matrix::Pattern::WideMagnitudes};

}  // namespace matrix_test
