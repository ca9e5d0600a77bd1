// Tests a warp's requests. A wrong product fails first, because it matters more.
#include "lab4_memtypes/tile_launch_sim.h"

using lab::count;

namespace {

constexpr int kTile = 32;

const cusim::WarpReport& warpsOfRightProduct() {
    const lab::ProductRun run = runWithTile("dynamicMatrixMul", wholeNumbers(2 * kTile), kTile);
    if (isWrong(run)) lab::beginWith("TODO(3)");
    lab::expectProduct("dynamicMatrixMul", run.P, run.set);
    return launchOf("dynamicMatrixMul").warps;
}

}  // namespace

TEST_CASE("a warp's loads and stores of device memory are coalesced") {
    const auto& warps = warpsOfRightProduct();
    if (warps.sectors > warps.idealSectors)
        lab::fail("uncoalesced", "dynamicMatrixMul: " + count(warps.globalRequests, "request") +
                                     " to device memory touch " + count(warps.sectors, "sector") +
                                     ";\n" + count(warps.idealSectors, "sector") +
                                     " would do. tx counts columns, in M, in N and in P.");
}

TEST_CASE("no bank conflicts: a warp's access to a tile takes one pass over the banks") {
    const auto& warps = warpsOfRightProduct();
    if (warps.sharedPasses > warps.sharedRequests)
        lab::fail("bank-conflict",
                  "dynamicMatrixMul: for " + count(warps.sharedRequests, "request") +
                      " to shared memory the banks are gone over\n" +
                      count(warps.sharedPasses, "time") + ". tx counts the columns of a tile.");
}
