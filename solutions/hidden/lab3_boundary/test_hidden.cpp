// Tests shapes that no public test uses.
#include "../drawn.h"
#include "lab3_boundary/bounded_run.h"

namespace {

void expectRightFor(int turn, Shape shape) {
    INFO(text(shape) << ", TILE_WIDTH " << tileWidth());
    lab::expectProduct("boundedMatrixMul",
                       runBounded("boundedMatrixMul", drawn::set(turn, shape.j, shape.k, shape.l)));
}

}  // namespace

TEST_CASE("hidden: the product is right for other shapes and other numbers") {
    for (int turn = 0; turn < 6; ++turn) {
        const auto which = static_cast<std::uint64_t>(3 * turn);
        expectRightFor(turn, {drawn::number(which, 1, 70), drawn::number(which + 1, 1, 70),
                              drawn::number(which + 2, 1, 70)});
    }
}

TEST_CASE("hidden: the product is right for sizes next to multiples of TILE_WIDTH") {
    const int T = tileWidth();
    const auto beside = [&](std::uint64_t which) {
        return T * drawn::number(which, 2, 3) + (drawn::number(which + 1, 0, 1) == 0 ? -1 : 1);
    };
    expectRightFor(20, {beside(30), beside(32), beside(34)});
    expectRightFor(21, {beside(36), T, beside(38)});
}
