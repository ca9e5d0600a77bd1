// Tests the tiles of step 1 and their loads.
#include "lab4_memtypes/pipeline/counts.h"

using pipeline::launched;

TEST_CASE("TODO(1): a block has two pairs of tiles in shared memory") {
    pipeline::expectPairs(Todo(1), launched(Todo(1), doubleBufferMatrixMul, 3), 2, 2,
                          "Declare Mds and Nds with __shared__, each with two tiles.");
}

TEST_CASE("TODO(2): the tiles of phase 0 are loaded, and no others if there is one phase") {
    pipeline::expectLoads(Todo(2), launched(Todo(2), doubleBufferMatrixMul, 1), 1,
                          "Before the loop, each thread loads one element of M and one of N. In "
                          "the loop, the\nlast phase loads nothing: there is no next phase.");
}

TEST_CASE("TODO(3): each phase loads the elements of the next phase, and the last one nothing") {
    for (const int phases : {2, 3})
        pipeline::expectLoads(Todo(3), launched(Todo(3), doubleBufferMatrixMul, phases), phases,
                              "In each phase but the last one, each thread loads one element of M "
                              "and one of N.");
}
