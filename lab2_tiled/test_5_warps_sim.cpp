// Tests a warp's requests, to global memory and to the banks of shared memory. A wrong product
// fails first, because it matters more.
#include "lab2_tiled/tiled_launch_sim.h"

namespace {

// Returns the largest number of sectors of 32 bytes that contain a row of a tile. Rows of 2 and 4
// floats are in one; a row begins inside a sector only if TILE_WIDTH neither divides 8 nor is
// divided by it.
std::uint64_t sectorsOfARow() {
    const unsigned floats = static_cast<unsigned>(tileWidth());
    if (8 % floats == 0) return 1;
    return floats % 8 == 0 ? floats / 8 : (floats + 6) / 8 + 1;
}

// Fails the test if the warps touched more sectors than contain the rows of the tiles.
void expectCoalesced(const std::string& what, const cusim::LaunchReport& launch,
                     const cusim::ArrayReport* array) {
    if (!array || array->warps.globalRequests == 0)
        lab::fail(
            "not-counted",
            "tiledMatrixMul: the simulated device has counted no request of a warp for the\n{}, "
            "although the product is right. This is not your mistake:\nplease report it.",
            what);
    // All blocks are counted, but only some are observed warp by warp.
    const std::uint64_t elements = (array->count.loadedBytes + array->count.storedBytes) /
                                   sizeof(float) * launch.warps.blocks / lab::blocksOf(launch);
    const std::uint64_t enough = elements / static_cast<unsigned>(tileWidth()) * sectorsOfARow();
    if (array->warps.sectors <= enough) return;
    lab::fail("uncoalesced",
              "tiledMatrixMul: the {} touch {} of 32 bytes, but\n{} are enough: a row of a tile "
              "lies in {}. Neighbours in x must\naccess neighbours in memory: tx counts columns in "
              "both tiles.",
              what, lab::count(array->warps.sectors, "sector"), lab::count(enough, "sector"),
              sectorsOfARow());
}

}  // namespace

TEST_CASE("a warp's loads and stores are coalesced: they touch only sectors that they need") {
    const lab::ProductRun run =
        runTiled("tiledMatrixMul", lab::integers(lab::square(4 * tileWidth())));
    lab::expectProduct("tiledMatrixMul", run);
    const auto& launch = launchOf("tiledMatrixMul");
    expectCoalesced("loads of M", launch, launch.filledFrom(run.set.M.data()));
    expectCoalesced("loads of N", launch, launch.filledFrom(run.set.N.data()));
    expectCoalesced("stores of P", launch, launch.copiedInto(run.P.data()));
}

TEST_CASE("a warp accesses a tile without bank conflicts, in one pass over the banks") {
    constexpr int phases = 2;
    constexpr std::uint64_t tiles = std::uint64_t{2} * phases;
    lab::expectProduct(
        "tiledMatrixMul",
        runTiled("tiledMatrixMul", lab::integers(lab::square(phases * tileWidth()))));
    const auto& launch = launchOf("tiledMatrixMul");
    const auto& warps = launch.warps;
    // Padding moves each row of a tile on by one bank. If a warp stores several rows at once,
    // their last words then share banks with the first: one more pass for each tile and phase.
    const bool padded = sharedBytes(launch) > bytesOfTiles(tileWidth());
    const std::uint64_t allowed = padded ? tiles * warps.warps : 0;
    cusim::AccessCount inTiles;  // a barrier object is smaller
    for (const auto& array : launch.arrays)
        if (array.space == cusim::Space::Shared && array.bytes >= tileWidth() * sizeof(float))
            inTiles += array.count;
    lab::expectNoAtomics("tiledMatrixMul", "bank-conflict", inTiles, "the tiles");
    if (warps.sharedPasses > warps.sharedRequests + allowed)
        lab::fail("bank-conflict",
                  "tiledMatrixMul: {} to shared memory go over the banks\n{}: threads of "
                  "a warp use different words of one bank. Let tx run\nalong the rows of a tile, "
                  "or add one float of padding to each row.",
                  lab::count(warps.sharedRequests, "request"),
                  lab::count(warps.sharedPasses, "time"));
}
