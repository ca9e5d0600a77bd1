// One shared array, as large as the launch says, and what goes through it.
#include "lab4_memtypes/tile_launch_sim.h"
#include "testing/device.h"

using lab::count;

namespace {

constexpr int kTile = 32;

// Every element of this input must have been loaded once for each block that needs it.
void expectLoadsOf(const matrix::Matrix& input, const std::string& name) {
    const int Width = input.rows();
    const auto times = static_cast<std::uint32_t>((Width - 1) / kTile + 1);
    const auto* array = launchOf("TODO(2)").filledFrom(input.data());
    if (!array)
        lab::fail("load-count", "TODO(2): the kernel never loads an element of " + name + ".");
    for (std::size_t i = 0; i < array->elementLoads.size(); ++i) {
        if (array->elementLoads[i] == times) continue;
        const auto row = i / static_cast<unsigned>(Width), col = i % static_cast<unsigned>(Width);
        lab::fail("load-count", "TODO(2): " + name + "[" + std::to_string(row) + "][" +
                                    std::to_string(col) + "] is loaded " +
                                    count(array->elementLoads[i], "time") + ", where " +
                                    count(times, "load") + " would do: Width is\n" +
                                    std::to_string(Width) + ", tileWidth " + std::to_string(kTile) +
                                    ". Each block whose tiles need an element loads it once.");
    }
}

}  // namespace

// First, as the tests below can judge nothing before it passes.
TEST_CASE("TODO(7): the launch asks for the bytes of two tiles, for every tile width") {
    const device::WithoutWarps withoutWarps;
    for (const int tileWidth : {16, 32, 48, 64}) {
        if (!fits(tileWidth, deviceAtHand())) continue;
        INFO("tileWidth " << tileWidth);
        runWithTile("TODO(7)", wholeNumbers(20), tileWidth, kNotAboutCounts);
        const auto& launch = launchOf("TODO(7)");
        const std::size_t given = launch.dynamicSharedBytes;
        const std::size_t wanted = bytesOfTiles(tileWidth);
        // A row of padding for each tile row is allowed.
        const std::size_t most = wanted + 2 * static_cast<std::size_t>(tileWidth) * sizeof(float);
        if (given >= wanted && given <= most) continue;
        lab::fail("shared-bytes", "TODO(7): with a tile width of " + std::to_string(tileWidth) +
                                      " the third launch parameter is " + count(given, "byte") +
                                      ";\ntwo tiles of floats take " + count(wanted, "byte") + ".");
    }
}

TEST_CASE("TODO(1): both tiles lie in the array whose size the launch sets") {
    runWithTile("TODO(1)", wholeNumbers(kTile), kTile, kNotAboutCounts);
    const auto& launch = launchOf("TODO(1)");
    if (launch.staticSharedBytes > 0)
        lab::fail("static-array", "TODO(1): " + count(launch.staticSharedBytes, "byte") +
                                      " of shared memory have a fixed size. Declare one array "
                                      "without a\nsize, extern __shared__ float MdsNds[].");
    if (launch.shared().stores == 0)
        lab::fail("not-shared",
                  "TODO(1): the kernel uses no shared memory yet. Declare the array, and let Mds "
                  "and\nNds point into it; the loads, TODO(2), fill it.");
}

TEST_CASE("TODO(2): each element of M and N is loaded ceil(Width / tileWidth) times") {
    const device::WithoutWarps withoutWarps;
    const ChosenOptions chosen;
    cusim::options().countElements = true;
    for (const int Width : {2 * kTile, 2 * kTile + 5, kTile - 3}) {
        const TileRun run = runWithTile("TODO(2)", wholeNumbers(Width), kTile, kNotAboutCounts);
        expectLoadsOf(run.set.M, "M");
        expectLoadsOf(run.set.N, "N");
    }
}

TEST_CASE("TODO(4): the kernel stores Width x Width elements, each once") {
    const device::WithoutWarps withoutWarps;
    for (const int Width : {2 * kTile, kTile + 5}) {
        runWithTile("TODO(4)", wholeNumbers(Width), kTile, kNotAboutCounts);
        const std::uint64_t stores = launchOf("TODO(4)").global().storedBytes / sizeof(float);
        if (stores == 0) lab::fail("never-written", "TODO(4): nothing is stored into P.");
        if (stores != squared(Width))
            lab::fail("store-count", "TODO(4): " + count(stores, "store") + ", where P has " +
                                         count(squared(Width), "element") +
                                         ".\nEach thread stores its sums once, behind the loop "
                                         "over the phases.");
    }
}

TEST_CASE("a thread waits at no more than two barriers a phase") {
    const device::WithoutWarps withoutWarps;
    runWithTile("dynamicMatrixMul", wholeNumbers(3 * kTile), kTile, kNotAboutCounts);
    const std::uint64_t barriers = launchOf("dynamicMatrixMul").barriersPerThread;
    if (barriers > 6)
        lab::fail("too-many-barriers", "dynamicMatrixMul: a thread executes " +
                                           count(barriers, "barrier") +
                                           " in 3 phases; 6 would do.");
}

TEST_CASE("a warp's loads and stores of device memory are coalesced") {
    const TileRun run = runWithTile("dynamicMatrixMul", wholeNumbers(2 * kTile), kTile);
    lab::expectProduct("dynamicMatrixMul", run.P, run.set);
    const auto& warps = launchOf("dynamicMatrixMul").warps;
    if (warps.sectors > warps.idealSectors)
        lab::fail("uncoalesced", "dynamicMatrixMul: " + count(warps.globalRequests, "request") +
                                     " to device memory touch " + count(warps.sectors, "sector") +
                                     ";\n" + count(warps.idealSectors, "sector") +
                                     " would do. tx counts columns, in M, in N and in P.");
}

TEST_CASE("no bank conflicts: a warp's access to a tile takes one pass over the banks") {
    const TileRun run = runWithTile("dynamicMatrixMul", wholeNumbers(2 * kTile), kTile);
    lab::expectProduct("dynamicMatrixMul", run.P, run.set);
    const auto& warps = launchOf("dynamicMatrixMul").warps;
    if (warps.sharedPasses > warps.sharedRequests)
        lab::fail("bank-conflict",
                  "dynamicMatrixMul: for " + count(warps.sharedRequests, "request") +
                      " to shared memory the banks are gone over\n" +
                      count(warps.sharedPasses, "time") + ". tx counts the columns of a tile.");
}
