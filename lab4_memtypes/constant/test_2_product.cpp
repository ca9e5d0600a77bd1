// Tests the values.
#include "lab4_memtypes/constant/product.h"
#include "testing/device.h"

using constant::Shape;

TEST_CASE("TODO(4): the product is right if M fits into constant memory") {
    const device::WithoutWarps withoutWarps;
    const Shape shapes[] = {{3, 5, 40}, {1, 1, 1},      {8, 16, 64}, {33, 20, 70},
                            {40, 9, 7}, {128, 128, 32}, {300, 3, 2}, {2, 3, 300}};
    for (const Shape s : shapes) constant::expectRight(Todo(4), s);
    // M is the beginning of A, with 4 columns, and N with 4 rows.
    lab::expectLastElement(
        Todo(4),
        [](const matrix::Matrix& A) {
            matrix::Matrix P(A.rows(), A.cols());
            constantMatrixMul(A.data(), A.data(), P.data(), A.rows(), 4, A.cols());
            return P.data()[P.size() - 1];
        },
        [](const matrix::Matrix& A) {
            float sum = 0.0F;
            for (int k = 0; k < 4; ++k) sum += A.data()[4 * A.rows() - 4 + k] * A(k, A.cols() - 1);
            return sum;
        });
}

TEST_CASE("TODO(3): the product is right if M does not fit into constant memory") {
    const device::WithoutWarps withoutWarps;
    // 4 pieces, the last one shorter; 2 whole pieces; pieces of one row.
    const Shape shapes[] = {{200, 300, 33}, {256, 128, 40}, {3, 9000, 32}};
    for (const Shape s : shapes) constant::expectRight(Todo(3), s);
}

TEST_CASE("the product is right for fractions, too, with M in several pieces") {
    const device::WithoutWarps withoutWarps;
    const auto pattern = matrix::Pattern::Uniform;
    const int j = 150, k = 250, l = 65;
    const auto run = constant::multiply("constantMatrixMul", lab::build(j, k, l, pattern, 3));
    const std::string cause = constant::causeOf(run);
    INFO("j x k x l = " << constant::sizesOf({j, k, l}) << cause);
    lab::expectProduct("constantMatrixMul", run);
}

TEST_CASE("M and N are not changed") {
    const device::WithoutWarps withoutWarps;
    matrix::DataSet before = lab::integers({70, 300, 50});
    const matrix::DataSet copy = before;
    const auto [set, P] = constant::withCause({70, 300, 50}, before.M.data(), [&] {
        return lab::runWithInputs(
            "constantMatrixMul", std::move(before),
            [](auto... matrices) { constantMatrixMul(matrices..., 70, 300, 50); }, lab::andLeaks());
    });
    if (P == matrix::poisoned(70, 50))
        lab::fail("never-written",
                  "constantMatrixMul: nothing is computed yet, so the test cannot judge it.");
    lab::expectUntouched(set, copy);
}
