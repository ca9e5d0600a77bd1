// Tests widths and numbers that no public test uses.
#include "../drawn.h"
#include "lab2_tiled/tiled_run.h"

TEST_CASE("hidden: the product is right for other multiples of TILE_WIDTH and other numbers") {
    for (int turn = 0; turn < 4; ++turn) {
        const int Width = tileWidth() * drawn::number(static_cast<std::uint64_t>(turn), 2, 7);
        INFO("Width " << Width << ", TILE_WIDTH " << tileWidth());
        lab::expectProduct("tiledMatrixMul",
                           runTiled("tiledMatrixMul", drawn::set(turn, Width, Width, Width)));
    }
}
