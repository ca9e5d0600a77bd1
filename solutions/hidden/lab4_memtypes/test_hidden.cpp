// Tests widths and tile widths that no public test uses.
#include "../drawn.h"
#include "lab4_memtypes/tile_run.h"

TEST_CASE("hidden: the product is right for other widths and other tile widths") {
    for (int turn = 0; turn < 4; ++turn) {
        const auto which = static_cast<std::uint64_t>(2 * turn);
        const int Width = drawn::number(which, 2, 80);
        const int tileWidth = kRows * drawn::number(which + 1, 1, 4);
        if (!fits(tileWidth, deviceAtHand())) continue;
        INFO("Width " << Width << ", tileWidth " << tileWidth);
        lab::expectProduct(
            "matrixMulWithTile",
            runWithTile("matrixMulWithTile", drawn::set(turn, Width, Width, Width), tileWidth));
    }
}

TEST_CASE("hidden: the product is right with the device's own tile width for other widths") {
    for (int turn = 0; turn < 3; ++turn) {
        const int Width = drawn::number(20 + static_cast<std::uint64_t>(turn), 2, 80);
        INFO("Width " << Width);
        lab::expectProduct(
            "dynamicMatrixMul",
            runDynamic("dynamicMatrixMul", drawn::set(10 + turn, Width, Width, Width)));
    }
}
