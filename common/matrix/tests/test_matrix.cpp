#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "matrix/matrix.h"
#include "matrix/tests/helpers.h"
#include "testing/catch.h"

using namespace matrix_test;
using matrix::Matrix;

TEST_CASE("a matrix lies row by row in memory", "[matrix]") {
    const Matrix m = matrixOf(2, 3, {1, 2, 3, 4, 5, 6});
    CHECK(m(0, 2) == 3.0F);
    CHECK(m(1, 0) == 4.0F);
    CHECK(m.data()[1 * 3 + 2] == m(1, 2));
    CHECK(m.size() == 6U);
}

TEST_CASE("a matrix made without arguments is empty", "[matrix]") {
    const Matrix m;
    CHECK(m.rows() == 0);
    CHECK(m.cols() == 0);
    CHECK(m.size() == 0U);
    CHECK(m == Matrix(0, 0));
}

TEST_CASE("checked access outside names row, column and shape", "[matrix]") {
    Matrix m(2, 3, 7.0F);
    CHECK(m.at(1, 2) == 7.0F);
    const int outside[][2] = {{2, 0}, {0, 3}, {-1, 0}, {0, -1}};
    for (const auto& place : outside) {
        std::string message;
        try {
            m.at(place[0], place[1]) = 0.0F;
        } catch (const std::out_of_range& error) {
            message = error.what();
        }
        CHECK(message == "row " + std::to_string(place[0]) + ", column " +
                             std::to_string(place[1]) + " lies outside a 2 x 3 matrix");
    }
}

TEST_CASE("a matrix cannot have a negative size", "[matrix]") {
    CHECK_THROWS_AS(Matrix(-1, 2), std::invalid_argument);
    CHECK_THROWS_AS(Matrix(2, -1), std::invalid_argument);
}

TEST_CASE("matrices are equal if shape and bits are", "[matrix]") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(Matrix(2, 2, nan) == Matrix(2, 2, nan));
    CHECK(Matrix(1, 1, 0.0F) != Matrix(1, 1, -0.0F));
    CHECK(Matrix(2, 3) != Matrix(3, 2));
    CHECK(Matrix(0, 3) != Matrix(3, 0));
    CHECK(Matrix(1, 3) != Matrix(2, 3));
}
