// Tests the cost of boundary tests: divergent warps.
#include <cstdio>
#include <iostream>

#include "lab3_boundary/divergence_sim.h"

namespace {

std::string percent(const Divergence& divergence) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * divergence.share());
    return text;
}

}  // namespace

TEST_CASE("warps diverge only at the edges of P: their share falls as P grows") {
    const int T = tileWidth(), tiles = 5;
    const Divergence inside = divergenceOf({T, T, T}, false);
    if (inside.divergent > 0)
        lab::fail("divergence",
                  "boundedMatrixMul: all tiles are whole, but {} of the warps diverge.\nOnly in a "
                  "tile that reaches over an edge must threads do different things.",
                  percent(inside));
    const int Width = (tiles - 1) * T + 1;
    const Divergence ragged = divergenceOf({Width, T, Width}, false);
    const int edge = 2 * tiles - 1;
    if (ragged.divergent * product(tiles, tiles) > ragged.warps * static_cast<unsigned>(edge))
        lab::fail("divergence",
                  "boundedMatrixMul: {} of the warps diverge if P is {} x {}, but only\n{} "
                  "of {} blocks are at its right and its lower edge.",
                  percent(ragged), Width, Width, edge, tiles * tiles);
}

// Prints the handout's table, which names the command.
TEST_CASE("the table of divergence in the handout", "[.table]") {
    std::cout << "| n | warps | diverge, k = 32 | diverge, k = n | of warps x phases, k = n |\n"
                 "|---|---|---|---|---|\n";
    for (const int n : {17, 33, 65, 129, 257}) {
        const Divergence all = divergenceOf({n, n, n}, false);
        std::cout << "| " << n << " | " << all.warps << " | "
                  << percent(divergenceOf({n, 32, n}, false)) << " | " << percent(all) << " | "
                  << percent(divergenceOf({n, n, n}, true)) << " |\n";
    }
}
