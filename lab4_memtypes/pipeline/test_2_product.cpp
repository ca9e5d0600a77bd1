// Tests the values of step 1 if there is nothing to load in the loop.
#include "lab4_memtypes/pipeline/product_run.h"

TEST_CASE("TODO(4): with one phase, the product is right") {
    pipeline::expectRight(Todo(4), doubleBufferMatrixMul, 1);
}
