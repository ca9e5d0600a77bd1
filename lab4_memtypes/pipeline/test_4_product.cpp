// Tests the values of both steps.
#include "lab4_memtypes/pipeline/product_run.h"

TEST_CASE("TODO(5): with many phases, the product is right") {
    pipeline::expectRightForManyPhases(Todo(5), doubleBufferMatrixMul);
}

TEST_CASE("TODO(8): with many phases, the product of asynchronous copies is right") {
    pipeline::expectRightForManyPhases(Todo(8), asyncMatrixMul);
}
