// Tests what is said of products that follow no pattern.
#include "testing/catch.h"
#include "testing/lab.h"
#include "testing/probed_product.h"

namespace {

constexpr int kWidth = 16;

// Returns the product of two numbers that a code adds to a sum in step k.
using Term = float (*)(const matrix::DataSet& set, int row, int column, int k);

std::string causeOf(Term term) {
    const auto product = [&](const matrix::DataSet& set) {
        matrix::Matrix P(kWidth, kWidth);
        for (int row = 0; row < kWidth; ++row)
            for (int column = 0; column < kWidth; ++column)
                for (int k = 0; k < kWidth; ++k) P(row, column) += term(set, row, column, k);
        return P;
    };
    const lab::ProbedProduct probed(kWidth, product);
    const matrix::DataSet set = lab::integers(lab::square(kWidth));
    return probed.cause(product(set), set);
}

}  // namespace

TEST_CASE("A wrong sum is explained by the products that it holds") {
    CHECK(causeOf([](const matrix::DataSet& set, int row, int column, int k) {
              return set.M(row, k) * set.N(k, column);
          }).empty());
    CHECK(causeOf([](const matrix::DataSet& set, int row, int column, int k) {
              return k == 3 || k == 9 || k > 12 ? 0 : set.M(row, k) * set.N(k, column);
          }) == "The sum at row 0, column 0 leaves out the products with k = 3, 9, 13 to 15.");
    CHECK(causeOf([](const matrix::DataSet& set, int row, int column, int k) {
              return row > 2 ? set.M(row - 1, k) * set.N(k, 15 - column)
                             : set.M(row, k) * set.N(k, column);
          }) == "Row 3, column 0 of P holds the product of row 2 of M and column 15 of N.");
    CHECK(causeOf([](const matrix::DataSet& set, int row, int column, int k) {
              return set.M(row, (k + column) % kWidth) * set.N(k, column);
          }) ==
          "The sum at row 0, column 1 takes the right row of M and column of N, but\n"
          "multiplies elements with different k. Both indices need the same k.");
    CHECK(causeOf([](const matrix::DataSet& set, int row, int column, int k) {
              const float m = set.M(row, k);
              return (m < 0 ? -m : m) * set.N(k, column);
          }) ==
          "If all elements of M and N are positive, the product is right: see what the\n"
          "code does with zeros and negative numbers.");
    CHECK(causeOf([](const matrix::DataSet& set, int row, int column, int k) {
              return set.M(row, k) * set.N(k, column) + 1;
          }).empty());
}
