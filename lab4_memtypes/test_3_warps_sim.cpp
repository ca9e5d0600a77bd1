// Tests a warp's requests. A wrong product fails first, because it matters more.
#include "lab4_memtypes/tile_launch_sim.h"

using lab::count;

namespace {

const cusim::WarpReport& warpsOfRightProduct() {
    const lab::ProductRun run =
        runWithTile("dynamicMatrixMul", lab::integers(lab::square(2 * kTile)), kTile);
    if (!lab::isRight(run)) lab::beginWith(Todo(4));
    lab::expectProduct("dynamicMatrixMul", run);
    return launchOf("dynamicMatrixMul").warps;
}

}  // namespace

TEST_CASE("a warp's loads and stores of device memory are coalesced") {
    const auto& warps = warpsOfRightProduct();
    if (warps.sectors > warps.idealSectors)
        lab::fail("uncoalesced",
                  "dynamicMatrixMul: {} to device memory access {},\nbut {} are enough. tx must "
                  "count columns, in M, in N and in P.",
                  count(warps.globalRequests, "request"), count(warps.sectors, "sector"),
                  count(warps.idealSectors, "sector"));
}

TEST_CASE("a warp accesses a tile without bank conflicts, in one pass over the banks") {
    const auto& warps = warpsOfRightProduct();
    if (warps.sharedPasses > warps.sharedRequests)
        lab::fail("bank-conflict",
                  "dynamicMatrixMul: {} to shared memory need {} over the\nbanks. tx must count "
                  "the columns of a tile.",
                  count(warps.sharedRequests, "request"), count(warps.sharedPasses, "passe"));
}
