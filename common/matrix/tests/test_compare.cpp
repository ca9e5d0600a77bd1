#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "matrix/compare.h"
#include "matrix/pattern.h"
#include "matrix/tests/helpers.h"
#include "testing/catch.h"

using namespace matrix_test;
using matrix::compare;
using matrix::Comparison;
using matrix::Looks;
using matrix::Matrix;
using matrix::Pattern;
using matrix::Reference;

namespace {

// A product of one pattern to judge.
struct Problem {
    Matrix M;
    Matrix N;
    Reference reference;
    bool exact;

    Problem(Pattern pattern, int j, int k, int l)
        : M(matrix::generate(pattern, j, k, 1)),
          N(matrix::generate(pattern, k, l, 2)),
          reference(matrix::multiply(M, N)),
          exact(matrix::isExact(pattern, k)) {}

    Comparison judge(const Matrix& got) const { return compare(got, M, N, reference, exact); }

    Matrix right() const { return rounded(reference); }
};

// Returns the product with each sum in float, its terms in random order, fused or not.
Matrix summedInAnyOrder(const Problem& p, std::mt19937_64& random, bool fused) {
    Matrix got(p.M.rows(), p.N.cols());
    std::vector<int> order(static_cast<std::size_t>(p.M.cols()));
    std::iota(order.begin(), order.end(), 0);
    for (int r = 0; r < got.rows(); ++r)
        for (int c = 0; c < got.cols(); ++c) {
            std::shuffle(order.begin(), order.end(), random);
            volatile float sum = 0.0F;
            for (const int i : order) {
                const volatile float product = p.M(r, i) * p.N(i, c);
                sum = fused ? std::fmaf(p.M(r, i), p.N(i, c), sum) : sum + product;
            }
            got(r, c) = sum;
        }
    return got;
}

}  // namespace

TEST_CASE("every order of summation passes, fused or not", "[compare]") {
    std::mt19937_64 random(1);
    for (const Pattern pattern : {Pattern::SmallIntegers, Pattern::Uniform, Pattern::Identity,
                                  Pattern::Ramp, Pattern::MostlyZero, Pattern::WideMagnitudes}) {
        for (const int k : {1, 2, 17, 300}) {
            const Problem p(pattern, 9, k, 11);
            for (const bool fused : {false, true}) {
                const Comparison result = p.judge(summedInAnyOrder(p, random, fused));
                INFO(matrix::name(pattern) << " " << k << ": " << result.explanation);
                CHECK(result.passed);
                CHECK(result.wrong == 0U);
                CHECK(result.looks == Looks::Right);
                CHECK(result.largestError <= result.itsBound);
            }
        }
    }
}

TEST_CASE("the bound is Higham's, (k + 1) u / (1 - (k + 1) u) times |M||N|", "[compare]") {
    const double u = std::ldexp(1.0, -24);
    CHECK(std::fabs(matrix::errorBound(9, 3.0) - 10 * u / (1 - 10 * u) * 3.0) < 1e-20);
    CHECK(matrix::errorBound(1, 0.0) > 0.0);
    CHECK(matrix::errorBound(1, 0.0) < 1e-44);
}

TEST_CASE("the last float within the bound passes and the next one fails", "[compare]") {
    const Problem p(Pattern::Uniform, 3, 50, 4);
    const std::size_t i = 5;
    for (const float side : {-1.0F, 1.0F}) {
        Matrix got = p.right();
        const double bound = matrix::errorBound(50, p.reference.magnitude[i]);
        const double edge = p.reference.product[i] + static_cast<double>(side) * bound;
        float inside = static_cast<float>(edge);
        if (std::fabs(static_cast<double>(inside) - p.reference.product[i]) > bound)
            inside = std::nextafter(inside, -side * INFINITY);
        got.data()[i] = inside;
        CHECK(p.judge(got).passed);
        CHECK(p.judge(got).largestError <= p.judge(got).itsBound);
        got.data()[i] = std::nextafter(inside, side * INFINITY);
        const Comparison result = p.judge(got);
        CHECK(!result.passed);
        CHECK(result.wrong == 1U);
        CHECK(result.largestError > result.itsBound);
    }
}

TEST_CASE("exact data fail by one unit in the last place", "[compare]") {
    const Problem p(Pattern::SmallIntegers, 4, 20, 4);
    Matrix got = p.right();
    got(2, 1) = std::nextafter(got(2, 1), 1e9F);
    const Comparison result = p.judge(got);
    CHECK(!result.passed);
    CHECK(result.wrong == 1U);
    CHECK(result.itsBound == 0.0);
    CHECK(result.looks == Looks::Other);
}

TEST_CASE("minus zero equals zero", "[compare]") {
    const Matrix M(1, 1, 0.0F);
    const Matrix N(1, 1, 3.0F);
    CHECK(compare(Matrix(1, 1, -0.0F), M, N, matrix::multiply(M, N), true).passed);
    CHECK(compare(Matrix(1, 1, -0.0F), M, N, matrix::multiply(M, N), false).passed);
}

TEST_CASE("NaN, infinity and poison never pass", "[compare]") {
    for (const Pattern pattern : {Pattern::SmallIntegers, Pattern::Uniform}) {
        const Problem p(pattern, 4, 5, 6);
        const float bad[] = {NAN, -NAN, INFINITY, -INFINITY, matrix::poisoned(1, 1)(0, 0)};
        for (const float value : bad) {
            Matrix got = p.right();
            got(1, 1) = value;
            const Comparison result = p.judge(got);
            CHECK(!result.passed);
            CHECK(result.wrong == 1U);
            CHECK(std::isinf(result.largestError));
        }
    }
}

TEST_CASE("poison is a NaN that keeps its bits", "[compare]") {
    const Matrix m = matrix::poisoned(2, 3);
    CHECK(m == matrix::poisoned(2, 3));
    const Matrix copy = m;
    CHECK(copy == m);
    CHECK(std::isnan(m(0, 0)));
}

TEST_CASE("a failure lists the first five wrong elements and their number", "[compare]") {
    const Problem p(Pattern::Uniform, 5, 6, 7);
    Matrix got = p.right();
    for (int i = 0; i < 6; ++i) got(i % 5, 6 - i) += 1.0F + static_cast<float>(i * i);
    const std::string text = p.judge(got).explanation;
    INFO(text);
    CHECK(startsWith(text, "6 of 35 elements are wrong; the first 5:\n  row 0, column 1: got "));
    CHECK(contains(text, ", expected "));
    CHECK(contains(text, ", bound "));
    CHECK(contains(text, "  row 3, column 3: got "));
    CHECK(!contains(text, "row 4"));
}

TEST_CASE("every line of an explanation fits 80 columns", "[compare]") {
    const Problem p(Pattern::WideMagnitudes, 1, 30, 2000);
    Matrix got = p.right();
    for (int c = 1200; c < 1500; ++c) got(0, c) = -1.23456789e-30F;
    const std::string text = p.judge(got).explanation;
    INFO(text);
    CHECK(widestLine(text) <= 80U);
}

TEST_CASE("a result of another shape is refused", "[compare]") {
    const Problem p(Pattern::Ramp, 2, 3, 4);
    CHECK(inputErrorOf([&] { p.judge(Matrix(4, 2)); }) ==
          "the result is 4 x 2, but 2 x 3 times 3 x 4 gives 2 x 4; give the result that shape");
    CHECK(contains(inputErrorOf([&] { compare(Matrix(2, 4), p.N, p.M, p.reference, true); }),
                   "does not belong to 3 x 4 times 2 x 3"));
}
