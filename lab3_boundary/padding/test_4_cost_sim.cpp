// Tests the costs of padding: loads of the zeros, and memory.
#include <cstdio>
#include <iostream>

#include "lab3_boundary/padding/copies_sim.h"

TEST_CASE("the zeros are loaded, too: 2 x J x K x L / TILE_WIDTH loads") {
    const Shape shape{tileWidth() + 1, 2 * tileWidth() + 1, 3};
    const PaddedRun run = runPadded("boundedMatrixMulPadded", lab::integers(shape));
    lab::expectProduct("boundedMatrixMulPadded", run);
    const auto& launch = launchOf("boundedMatrixMulPadded");
    const std::uint64_t loads = lab::floatsRead(launch.global());
    const std::uint64_t wanted = product(whole(shape.j), whole(shape.k), 2 * tilesIn(shape.l));
    if (loads != wanted)
        lab::fail("load-count", "boundedMatrixMulPadded: {} instead of {}.{}",
                  lab::count(loads, "load"), lab::count(wanted, "load"), seenWith(shape));
    const std::uint64_t stores = launch.global().storedBytes / 4;
    if (stores > product(whole(shape.j), whole(shape.l)))
        lab::fail("store-count", "boundedMatrixMulPadded: {} for {} of d_P.{}",
                  lab::count(stores, "store"),
                  lab::count(product(whole(shape.j), whole(shape.l)), "element"), seenWith(shape));
    const int phases = tilesIn(shape.k);
    if (launch.barriersPerThread > 2 * static_cast<std::uint64_t>(phases))
        lab::fail(
            "too-many-barriers",
            "boundedMatrixMulPadded: a thread executes {} in {},\nbut two per phase are enough.{}",
            lab::count(launch.barriersPerThread, "barrier"), lab::count(phases, "phase"),
            seenWith(shape));
    lab::expectOneLaunch("boundedMatrixMulPadded", "all of P", launch.kernel);
    matrix::Matrix P = matrix::poisoned(shape.j, shape.l);
    lab::expectCallsChecked("boundedMatrixMulPadded", lab::gives(P), [&] {
        boundedMatrixMulPadded(run.set.M.data(), run.set.N.data(), P.data(), shape.j, shape.k,
                               shape.l);
    });
}

TEST_CASE("no warp diverges: without an if, all threads do the same") {
    const Shape shape{tileWidth() + 1, tileWidth() + 1, tileWidth() + 1};
    const PaddedRun run = runPadded("boundedMatrixMulPadded", lab::integers(shape));
    lab::expectProduct("boundedMatrixMulPadded", run);
    const auto& warps = launchOf("boundedMatrixMulPadded").warps;
    if (warps.divergentWarps > 0)
        lab::fail("divergence",
                  "boundedMatrixMulPadded: {} of {} diverge. Without\ntests, no warp diverges.{}",
                  lab::count(warps.divergentWarps, "warp"), warps.warps, seenWith(shape));
}

// Prints the handout's table, which names the command. The columns on kernel.cu are computed,
// because the tests of kernel.cu prove its loads and its memory.
TEST_CASE("the table of padding in the handout", "[.table]") {
    std::cout << "| j x k x l | floats | padded | more | loads | padded | more |\n"
                 "|---|---|---|---|---|---|---|\n";
    const auto more = [](std::uint64_t padded, std::uint64_t plain) {
        char text[32];
        std::snprintf(text, sizeof text, "%.1f %%",
                      100 * (static_cast<double>(padded) / static_cast<double>(plain) - 1));
        return std::string(text);
    };
    const Shape shapes[] = {{17, 17, 17}, {65, 65, 65},  {257, 257, 257},
                            {1, 257, 1},  {300, 3, 300}, {256, 256, 256}};
    for (const Shape s : shapes) {
        runPadded("boundedMatrixMulPadded", lab::integers(s));
        const auto& launch = launchOf("boundedMatrixMulPadded");
        const std::uint64_t floats = product(s.j, s.k) + product(s.k, s.l) + product(s.j, s.l);
        const std::uint64_t loads =
            product(s.j, s.k, tilesIn(s.l)) + product(s.k, s.l, tilesIn(s.j));
        std::cout << "| " << s.j << " x " << s.k << " x " << s.l << " | " << floats << " |";
        const std::uint64_t padded = floatsOnDevice(launch), loaded = launch.global().loads;
        std::cout << " " << padded << " | " << more(padded, floats) << " | " << loads << " | "
                  << loaded << " | " << more(loaded, loads) << " |\n";
    }
}
