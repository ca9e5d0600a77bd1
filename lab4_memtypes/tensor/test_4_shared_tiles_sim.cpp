// Tests the warps of step 2, and what they load, multiply and store.
#include <iostream>

#include "lab4_memtypes/tensor/counts.h"

using tensor::kTile;

TEST_CASE("TODO(5): each warp of a block has a tile of its own, and its sum begins with 0") {
    const lab::ProductRun product =
        tensor::run(Todo(5), sharedTilesMatrixMul, tensor::zeroTimesN(2 * kTile), "race");
    for (const cusim::Finding& race : lab::storesOfOneElement()) {
        if (race.steps && race.steps->shared) continue;
        lab::beginWith(Todo(5));
        lab::failFor({race},
                     lab::filled("{}: several warps store in one tile of P. Which tile does "
                                 "warp\nthreadIdx.x / 32 compute?\n",
                                 Todo(5)));
    }
    // Another test reports a race on a tile, which makes sums wrong.
    if (lab::findingsOf("race").empty()) lab::expectProduct(Todo(5), product);
}

TEST_CASE("TODO(6): per phase, a block loads each element of its tiles once") {
    for (const int phases : {2, 4, 6})
        tensor::expectLoads(
            Todo(6), tensor::launched(Todo(6), sharedTilesMatrixMul, phases), phases, 2 * kTile,
            "Per phase, the block loads 32 x 16 elements of M and 16 x 32 of N. All "
            "four warps use\nthem, in shared memory.");
}

TEST_CASE("TODO(7): the warps multiply tiles in shared memory, and no threads race") {
    for (const int phases : {2, 6}) {
        tensor::expectRight(Todo(7), sharedTilesMatrixMul,
                            lab::integers(lab::square(phases * kTile)));
        const auto& launch = cusim::launches().back();
        tensor::expectProducts(Todo(7), launch, phases);
        if (launch.shared().loadedBytes == 0)
            lab::fail("not-shared", Todo(7), "no fragment is loaded from shared memory.");
    }
}

TEST_CASE("TODO(8): each element of P is stored once, after the last phase") {
    tensor::expectStores(Todo(8), sharedTilesMatrixMul, 4);
}

// Prints the handout's table.
TEST_CASE("the table of counts in the handout", "[.table]") {
    std::cout
        << "| kernel | calls of mma_sync | loads from device memory | loads from shared memory "
           "| shared bytes per block |\n|---|---:|---:|---:|---:|\n";
    for (const bool shares : {false, true}) {
        const auto& launch =
            tensor::launched("", shares ? sharedTilesMatrixMul : warpTileMatrixMul, 16);
        std::cout << "| step " << (shares ? 2 : 1) << " | " << lab::grouped(launch.tensorOperations)
                  << " | " << lab::grouped(launch.global().loads) << " | "
                  << lab::grouped(launch.shared().loads) << " | "
                  << lab::grouped(launch.staticSharedBytes) << " |\n";
    }
}
