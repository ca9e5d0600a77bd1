#include "lab4_memtypes/registers/one_tile.h"

using registers::expectOneTile;
using registers::Share;

TEST_CASE("TODO(4): a thread computes TM x TN products from TM + TN elements") {
    expectOneTile({{Todo(4), registerTileMatrixMul},
                   Share::EveryEighth,
                   Share::EveryEighth,
                   {Todo(3), Todo(4)},
                   Todo(5)});
}

TEST_CASE("TODO(5): step 2 is right for every shape") {
    expectRight({Todo(5), registerTileMatrixMul},
                {{128, 64, 128}, {1, 1, 1}, {65, 9, 63}, {7, 100, 1}, {1, 7, 130}, {70, 33, 90}});
}
