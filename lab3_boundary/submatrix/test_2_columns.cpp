// Tests matrices that are stored column by column.
#include "lab3_boundary/submatrix/parts.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "lab3_boundary/submatrix/other_widths.h"
#endif

TEST_CASE("TODO(4): the product is right if matrices are stored column by column") {
    const int T = tileWidth();
    for (const Shape shape :
         {Shape{5, 3, 4}, {T + 1, 2 * T + 1, T}, {1, 3 * T + 1, 2}, {7, 1, T + 3}})
        for (const Extra extra : {Extra{0, 0, 0}, {3, 1, 2}})
            expectRight(Todo(4), shape, extra, Stored::ByColumns);
#ifdef CUDA_SIMULATED_DEVICE
    lab::expectOneLaunch(Todo(4), "all of P");
    expectOtherWidthsByColumns(Todo(4));
#endif
}
