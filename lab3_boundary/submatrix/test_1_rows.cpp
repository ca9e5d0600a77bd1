// Tests parts of matrices that are stored row by row.
#include "lab3_boundary/submatrix/parts.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "lab3_boundary/submatrix/once_sim.h"
#include "lab3_boundary/submatrix/other_widths.h"
#endif

TEST_CASE("TODO(1): M may be part of a matrix with longer rows") {
    expectRightWith(Todo(1), {tileWidth() + 1, 7, 3}, {5, 0, 0});
}

TEST_CASE("TODO(2): N may be part of a matrix with longer rows") {
    expectRightWith(Todo(2), {3, tileWidth() + 3, 5}, {0, 4, 0});
}

TEST_CASE("TODO(3): P may be part of a matrix whose other elements do not change") {
    expectRightWith(Todo(3), {5, 3, tileWidth() + 2}, {0, 0, 6});
#ifdef CUDA_SIMULATED_DEVICE
    constexpr int kApart = (1 << 24) + 3;  // M has two rows of two elements
    lab::expectExactBytes("subMatrixMul", 1, kApart + 2, [](float* zeros) {
        subMatrixMul(zeros, kApart, zeros, 2, zeros, 2, 2, 2, 2);
    });
    const int T = tileWidth();
    for (const Shape shape : {Shape{T + 1, 2 * T + 1, T + 2}, {T, 2 * T, 2 * T}})
        expectOnce(Todo(3), shape);
#endif
}

TEST_CASE("the product is right for parts of every shape, each in its own matrix") {
    const int T = tileWidth();
    const Shape shapes[] = {
        {1, 1, 1}, {T, T, T}, {T + 1, 2 * T + 1, T}, {1, 3 * T + 1, 2}, {2 * T + 1, 1, T + 1}};
    for (const Shape shape : shapes)
        for (const Extra extra : {Extra{0, 0, 0}, {1, 2, 3}, {T, 2 * T, 3}})
            expectRight("subMatrixMul", shape, extra, Stored::ByRows);
    // Of a char, 256 blocks or phases are too many.
    const int n = 256 * T + 1;
    for (const Shape shape : {Shape{n, 2, 3}, {3, n, 2}, {2, 3, n}})
        expectRight("subMatrixMul", lab::fractions(shape), {1, 2, 3}, Stored::ByRows,
                    "subMatrixMul");
    lab::expectLastTile("subMatrixMul", T, T, multiplySquare, {}, lab::kOverShort);
#ifdef CUDA_SIMULATED_DEVICE
    expectWithin("subMatrixMul", {5, 7, 3}, {2, 3, 4}, Stored::ByRows);
    expectOtherWidths("subMatrixMul");
#endif
}
