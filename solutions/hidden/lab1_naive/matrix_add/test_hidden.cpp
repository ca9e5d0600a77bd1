// Tests shapes that no public test uses.
#include "../../drawn.h"
#include "lab1_naive/matrix_add/sums.h"

TEST_CASE("hidden: the sum is right for other shapes and other numbers") {
    for (int turn = 0; turn < 4; ++turn) {
        const auto which = static_cast<std::uint64_t>(2 * turn);
        const sums::Shape shape{drawn::number(which, 2, 90), drawn::number(which + 1, 2, 90)};
        INFO(sums::text(shape));
        const sums::Operands in = sums::operands(shape, drawn::pattern(turn));
        matrix::Matrix C = matrix::poisoned(shape.rows, shape.cols);
        lab::run("matrixAdd", lab::gives(C).from(in.A, in.B),
                 [&] { matrixAdd(in.A.data(), in.B.data(), C.data(), shape.rows, shape.cols); });
        sums::expectSum("matrixAdd", C, in);
    }
}
