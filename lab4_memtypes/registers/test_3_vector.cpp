#include "lab4_memtypes/registers/one_tile.h"

using registers::expectOneTile;
using registers::Share;

TEST_CASE("TODO(8): step 3 computes the same products") {
    expectOneTile({{Todo(8), vectorMatrixMul},
                   Share::TwoGroups,
                   Share::TwoGroups,
                   {Todo(8)},
                   Todo(9),
                   {Todo(6), Todo(7)}});
}

TEST_CASE("step 3 is right for every shape in which k and l are multiples of 4") {
    expectRight({"vectorMatrixMul", vectorMatrixMul},
                {{128, 64, 128}, {1, 4, 4}, {65, 12, 60}, {7, 100, 4}, {1, 8, 132}, {70, 36, 92}});
}
