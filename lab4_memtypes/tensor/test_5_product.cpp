// Tests the values of step 2, and of both steps for numbers that are rounded.
#include "lab4_memtypes/tensor/product_run.h"

TEST_CASE("TODO(7): with many phases, step 2 is right for whole numbers") {
    tensor::expectRightForManyPhases(Todo(7), sharedTilesMatrixMul, 2 * tensor::kTile);
}

TEST_CASE("for other numbers, the error is at most 1/512 of the sum of |M| |N|") {
    tensor::expectSmallErrors("step 1", warpTileMatrixMul, 80);
    tensor::expectSmallErrors("step 2", sharedTilesMatrixMul, 96);
}
