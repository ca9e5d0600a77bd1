// Tests shapes of every kind. On the simulated device each also shows that no access leaves its
// array, that no unset value is used and that there is no race.
#include "lab3_boundary/bounded_run.h"
#include "testing/device.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "lab3_boundary/other_widths.h"
#endif

namespace {

const char* const kName = "boundedMatrixMul";

// Returns a size with this remainder by TILE_WIDTH, alternately in one tile and in two.
int sizeWith(int remainder) { return remainder % 2 ? remainder : remainder + tileWidth(); }

// Returns shapes with each remainder of j and of k; l takes every remainder as well, in another
// order.
std::vector<Shape> everyRemainder() {
    std::vector<Shape> shapes;
    const int T = tileWidth(), step = T > 16 ? 16 : 1;
    for (int a = 0; a < T; ++a)
        for (int b = a % step; b < T; b += step)
            shapes.push_back({sizeWith(a), sizeWith(b), sizeWith((3 * a + 5 * b) % T)});
    return shapes;
}

std::vector<Shape> everyShape(int most) {
    std::vector<Shape> shapes;
    for (int j = 1; j <= most; ++j)
        for (int k = 1; k <= most; ++k)
            for (int l = 1; l <= most; ++l) shapes.push_back({j, k, l});
    return shapes;
}

}  // namespace

TEST_CASE("the product is right for 1 x 1, vectors, single rows and columns") {
    const int n = 2 * tileWidth() + 3;
    const Shape shapes[] = {{1, 1, 1}, {1, n, 1}, {n, 1, n}, {1, n, n},
                            {n, n, 1}, {1, 1, n}, {n, 1, 1}};
    for (const Shape shape : shapes) expectRight(kName, shape);
}

TEST_CASE("the product is right for sizes TILE_WIDTH - 1, TILE_WIDTH and TILE_WIDTH + 1") {
    const device::WithoutWarps withoutWarps;
    const int T = tileWidth(), least = std::max(1, T - 1);
    for (int j = least; j <= T + 1; ++j)
        for (int k = least; k <= T + 1; ++k)
            for (int l = least; l <= T + 1; ++l) expectRight(kName, {j, k, l});
}

TEST_CASE("the product is right for prime sizes, and for tall, wide and long matrices") {
    const device::WithoutWarps withoutWarps;
    // Of a char, 256 blocks or phases are too many.
    const int T = tileWidth(), n = 256 * T + 1;
    const Shape shapes[] = {{37, 53, 29},     {7, 5, 3}, {n, 2, 3},
                            {2, 3, n},        {3, n, 2}, {3 * T - 1, 1, 3 * T - 2},
                            {T, 2 * T, 3 * T}};
    for (const Shape shape : shapes) expectRight(kName, shape);
}

// Covers every shape up to TILE_WIDTH 4: 729 at 4, which `make test TILE_WIDTH=4` runs.
TEST_CASE("the product is right for many shapes with sizes up to 2 x TILE_WIDTH + 1") {
    const device::WithoutWarps withoutWarps;
    const int most = 2 * tileWidth() + 1;
    for (const Shape shape : tileWidth() <= 4 ? everyShape(most) : everyRemainder())
        expectRight(kName, shape);
#ifdef CUDA_SIMULATED_DEVICE
    expectOtherWidths(kName);
#endif
}
