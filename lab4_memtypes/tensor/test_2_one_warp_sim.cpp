// Tests what the warps of step 1 load, multiply and store.
#include "lab4_memtypes/tensor/counts.h"

TEST_CASE("TODO(3): per phase, a warp loads a tile of M and one of N, and multiplies them once") {
    for (const int phases : {1, 2, 3}) {
        const auto& launch = tensor::launched(Todo(3), warpTileMatrixMul, phases);
        tensor::expectProducts(Todo(3), launch, phases);
        tensor::expectLoads(Todo(3), launch, phases, tensor::kTile,
                            "Per phase, each warp loads one tile of M and one of N.");
    }
}

TEST_CASE("TODO(4): each element of P is stored once, after the last phase") {
    tensor::expectStores(Todo(4), warpTileMatrixMul, 3);
}
