// Tests the product, on both devices.
#include "lab3_boundary/padding/padded_run.h"

TEST_CASE("the product is the same as with tests: right for shapes of every kind") {
    const int T = tileWidth();
    for (const Shape shape : {Shape{1, 1, 1},
                              {T, T, T},
                              {1, 3 * T - 1, 1},
                              {2 * T + 1, 1, T - 1},
                              {2 * T - 1, T + 1, 3 * T},
                              {37, 53, 29},
                              {5, 100, 70}}) {
        const PaddedRun run = runPadded("boundedMatrixMulPadded", wholeNumbers(shape));
        lab::expectProduct("boundedMatrixMulPadded", run);
    }
}
