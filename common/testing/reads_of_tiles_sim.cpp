#include "testing/reads_of_tiles_sim.h"

#include <algorithm>
#include <numeric>

#include "testing/lab_sim.h"

namespace lab {
namespace {

// The width of the tiles by which each input was loaded; 0 where no test has seen such loads.
struct Seen {
    int ofM = 0, ofN = 0;
};
Seen seen;

// Returns how often an input is loaded for `across` elements of P in the other direction: whole
// tiles, as loads may be clamped to the matrix, or without a tile an element for each product.
std::uint64_t loadsOf(const matrix::Matrix& input, int across, int width) {
    if (width == 0) return product(input.rows(), input.cols(), across);
    const int tiles = tilesIn(input.rows(), width) * tilesIn(input.cols(), width);
    return product(width, width) * product(tiles, tilesIn(across, width));
}

// Returns how often the first launch of the last call loads elements of an input.
std::uint64_t loadsIn(const matrix::Matrix& input) {
    if (cusim::launches().empty()) return 0;
    const auto* array = cusim::launches().front().filledFrom(input.data());
    if (!array) return 0;
    const auto& counts = array->elementLoads;
    const auto size = static_cast<std::ptrdiff_t>(std::min(counts.size(), input.size()));
    return std::accumulate(counts.begin(), counts.begin() + size, std::uint64_t{0});
}

std::uint64_t readsOfLastCall() {
    std::uint64_t reads = 0;
    for (const cusim::LaunchReport& launch : cusim::launches()) reads += readsOfDevice(launch);
    return reads;
}

// Returns whether so much is read that the products cannot come from tiles. Twice the tiles may be
// read, as by a kernel that is launched twice, and each input once more, as by one that copies it.
// Tiles of 2 x 2 take half of what products without tiles read, so that these are reported as well.
bool isTooMuch(std::uint64_t reads, const matrix::DataSet& set) {
    const auto [j, k, l] = shapeOf(set);
    const std::uint64_t tiles = loadsOf(set.M, l, seen.ofM) + loadsOf(set.N, j, seen.ofN);
    const std::uint64_t inputs = set.M.size() + set.N.size();
    return reads > 2 * tiles + inputs ||
           (2 * reads > 3 * tiles + 2 * inputs && reads >= 2 * product(j, k, l));
}

void expectReadsOfTiles(const Text& about, const matrix::DataSet& set) {
    const std::uint64_t reads = readsOfLastCall();
    if (!isTooMuch(reads, set)) return;
    const auto [j, k, l] = shapeOf(set);
    const int width = std::max(seen.ofM, seen.ofN);
    // Another grid, or another launch, reads more by itself.
    const cusim::LaunchReport& launch = launchOf(about);
    const std::uint64_t blocks = product(tilesIn(j, width), tilesIn(l, width));
    blameNoStep();
    if (blocksOf(launch) > blocks)
        fail("grid-size", about,
             "the product is right on {}, but the grid\nhas {}, which load too much. P needs only "
             "{}.",
             set.spec.name, count(blocksOf(launch), "block"), count(blocks, "block"));
    expectOneLaunch(about, "all of P");
    fail("load-count", about,
         "the product is right on {}, but the kernel\nreads {} of device memory, more than tiles "
         "need. In the tests that count\nloads it reads less. Compute each product from tiles.",
         set.spec.name, count(reads, "number"));
}

}  // namespace

bool holdToTiles(const matrix::DataSet& set, int tileWidth) {
    const auto [j, k, l] = shapeOf(set);
    const std::uint64_t ofM = loadsIn(set.M), ofN = loadsIn(set.N);
    const bool mByTiles = ofM <= loadsOf(set.M, l, tileWidth);
    const bool nByTiles = ofN <= loadsOf(set.N, j, tileWidth);
    if (ofM > 0 && mByTiles) seen.ofM = tileWidth;
    if (ofN > 0 && nByTiles) seen.ofN = tileWidth;
    if (seen.ofM > 0 || seen.ofN > 0) alsoExpectOfProducts(expectReadsOfTiles);
    return mByTiles || nByTiles;
}

}  // namespace lab
