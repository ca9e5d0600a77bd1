// Tests the values of step 1.
#include "lab4_memtypes/tensor/product_run.h"

TEST_CASE("TODO(3): with one phase, step 1 is right for whole numbers") {
    tensor::expectRight(
        Todo(3), warpTileMatrixMul, lab::integers(lab::square(tensor::kTile)),
        {{matrix::Looks::TransposedOperand, Todo(2)}, {matrix::Looks::Transposed, Todo(4)}});
}

TEST_CASE("TODO(3): with many phases, step 1 is right for whole numbers") {
    tensor::expectRightForManyPhases(Todo(3), warpTileMatrixMul, tensor::kTile);
}
