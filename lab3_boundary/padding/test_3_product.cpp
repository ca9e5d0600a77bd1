// Tests the product, on both devices.
#include "lab3_boundary/padding/padded_run.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "lab3_boundary/padding/other_widths.h"
#endif

TEST_CASE("the product is right for shapes of every kind") {
    const int T = tileWidth();
    const Shape shapes[] = {{1, 1, 1},
                            {T, T, T},
                            {1, 3 * T - 1, 1},
                            {2 * T + 1, 1, T - 1},
                            {2 * T - 1, T + 1, 3 * T},
                            {37, 53, 29},
                            {5, 100, 70},
                            {300, 3, 2},
                            {2, 300, 3},
                            {3, 2, 300}};
    for (const Shape shape : shapes) {
        const PaddedRun run = runPadded("boundedMatrixMulPadded", lab::integers(shape));
        lab::expectProduct("boundedMatrixMulPadded", run);
    }
    lab::expectProduct("boundedMatrixMulPadded",
                       runPadded("boundedMatrixMulPadded", lab::fractions({T + 1, 2 * T, T})));
    lab::expectLastTile("boundedMatrixMulPadded", T, T, multiplySquare, {}, lab::kOverShort);
#ifdef CUDA_SIMULATED_DEVICE
    expectOtherWidths("boundedMatrixMulPadded");
#endif
}
