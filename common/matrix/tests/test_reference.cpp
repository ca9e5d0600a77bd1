#include <string>
#include <vector>

#include "matrix/pattern.h"
#include "matrix/reference.h"
#include "matrix/tests/helpers.h"
#include "testing/catch.h"

using namespace matrix_test;
using matrix::Matrix;
using matrix::multiply;
using matrix::Reference;

TEST_CASE("the reference equals a product worked by hand", "[reference]") {
    const Reference p =
        multiply(matrixOf(2, 3, {1, -2, 3, 0, 4, -5}), matrixOf(3, 2, {7, 8, -9, 10, 11, -12}));
    CHECK(p.rows == 2);
    CHECK(p.cols == 2);
    CHECK(p.inner == 3);
    CHECK(p.product == std::vector<double>{58, -48, -91, 100});
    CHECK(p.magnitude == std::vector<double>{58, 64, 91, 100});
}

TEST_CASE("the reference is summed in double", "[reference]") {
    const Reference p = multiply(matrixOf(1, 3, {1, 0x1p-30F, -1}), matrixOf(3, 1, {1, 1, 1}));
    CHECK(p.product == std::vector<double>{0x1p-30});
    CHECK(p.magnitude == std::vector<double>{2 + 0x1p-30});
}

TEST_CASE("each product of the reference is rounded to double at most", "[reference]") {
    const float next = 1.0F + 0x1p-23F;
    const Reference p = multiply(Matrix(1, 1, next), Matrix(1, 1, next));
    CHECK(p.product == std::vector<double>{1.0 + 0x1p-22 + 0x1p-46});
}

TEST_CASE("the reference handles every shape", "[reference]") {
    const int shapes[][3] = {{1, 1, 1}, {1, 5, 3}, {4, 1, 6}, {3, 7, 1}, {5, 3, 8}};
    for (const auto& s : shapes) {
        const Matrix M = matrix::generate(matrix::Pattern::SmallIntegers, s[0], s[1], 1);
        const Matrix N = matrix::generate(matrix::Pattern::SmallIntegers, s[1], s[2], 2);
        const Reference p = multiply(M, N);
        for (int r = 0; r < s[0]; ++r)
            for (int c = 0; c < s[2]; ++c) {
                double sum = 0.0;
                for (int i = 0; i < s[1]; ++i)
                    sum += static_cast<double>(M(r, i)) * static_cast<double>(N(i, c));
                CHECK(p.product[static_cast<std::size_t>(r * s[2] + c)] == sum);
            }
    }
}

TEST_CASE("shapes that cannot be multiplied are refused, both named", "[reference]") {
    CHECK(inputErrorOf([] { multiply(Matrix(2, 3, 1), Matrix(4, 5, 1)); }) ==
          "a 2 x 3 matrix cannot be multiplied by a 4 x 5 one; the columns of the first must "
          "equal the rows of the second");
    CHECK(contains(inputErrorOf([] { multiply(Matrix(), Matrix(1, 1)); }), "holds no values"));
    CHECK(contains(inputErrorOf([] { multiply(Matrix(1, 1 << 23), Matrix(1 << 23, 1)); }),
                   "too large to judge"));
}

TEST_CASE("a product beyond float's range is refused", "[reference]") {
    CHECK(startsWith(inputErrorOf([] { multiply(Matrix(1, 1, 1e30F), Matrix(1, 2, 1e30F)); }),
                     "the product's row 0, column 0 exceeds float's range; "));
}
