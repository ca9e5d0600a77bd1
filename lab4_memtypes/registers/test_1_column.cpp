#include "lab4_memtypes/registers/one_tile.h"

using registers::expectOneTile;
using registers::Share;

TEST_CASE("TODO(1): a thread computes TM products with each element of N that it reads") {
    expectOneTile({{Todo(1), columnMatrixMul}, Share::SideBySide, Share::One, {Todo(1)}, Todo(2)});
}

TEST_CASE("TODO(2): step 1 is right for every shape") {
    expectRight({Todo(2), columnMatrixMul},
                {{128, 64, 128}, {1, 1, 1}, {65, 9, 63}, {7, 100, 1}, {1, 7, 130}, {70, 33, 90}});
}
