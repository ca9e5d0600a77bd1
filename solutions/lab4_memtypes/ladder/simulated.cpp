// Runs the rungs on the simulated device at small sizes, where all that they do is checked: races,
// bounds, unset memory, and each element that they compute. Prints a line for each rung and shape;
// ends with status 1 if anything is wrong.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "ladder.h"
#include "simulator/simulator.h"

namespace {

struct Shape {
    int j, k, l;
    // Runs the last block alone, where only a large grid makes a rung choose large tiles.
    bool lastBlockOnly;
};

std::vector<float> numbers(int rows, int cols, int step) {
    std::vector<float> all;
    for (int i = 0; i < rows * cols; ++i) all.push_back(static_cast<float>(i * step % 11 - 5));
    return all;
}

float* onDevice(const std::vector<float>& host) {
    float* device = nullptr;
    cudaMalloc(&device, host.size() * sizeof(float));
    cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    return device;
}

// Returns how many elements of a block's tile, or of all, are wrong. Small whole numbers are exact.
int wrong(const Rung& rung, const Shape& shape, const std::vector<float>& M,
          const std::vector<float>& N, const std::vector<float>& P) {
    const auto& [j, k, l, lastBlockOnly] = shape;
    const Tile tile = rung.tile(j, l);
    const int firstRow = lastBlockOnly ? (j - 1) / tile.rows * tile.rows : 0;
    const int firstCol = lastBlockOnly ? (l - 1) / tile.cols * tile.cols : 0;
    int count = 0;
    for (int Row = firstRow; Row < j; ++Row)
        for (int Col = firstCol; Col < l; ++Col) {
            float sum = 0;
            for (int i = 0; i < k; ++i) sum += M[Row * k + i] * N[i * l + Col];
            count += P[Row * l + Col] != sum;
        }
    return count;
}

bool passes(const Rung& rung, const Shape& shape) {
    const auto& [j, k, l, lastBlockOnly] = shape;
    cusim::reset();
    cusim::options().lastBlockOnly = lastBlockOnly;
    const std::vector<float> M = numbers(j, k, 7), N = numbers(k, l, 5);
    std::vector<float> P(static_cast<std::size_t>(j) * l, -1.0f);
    float* const device = onDevice(P);
    rung.launch(onDevice(M), onDevice(N), device, j, k, l);
    cudaMemcpy(P.data(), device, P.size() * sizeof(float), cudaMemcpyDeviceToHost);
    const int bad = wrong(rung, shape, M, N, P);
    const auto found = static_cast<int>(cusim::findings().size());
    std::printf("%-20s %4d x %2d x %4d: %d wrong, %d found\n", rung.name, j, k, l, bad, found);
    for (const cusim::Finding& finding : cusim::findings())
        std::fputs(cusim::text(finding).c_str(), stdout);
    return bad == 0 && found == 0;
}

}  // namespace

int main() {
    const Rung* const rungs[] = {&naiveUncoalesced, &naive,       &tiled,    &registerTile1d,
                                 &registerTile2d,   &vectorLoads, &warpTile, &doubleBuffer,
                                 &asyncCopies,      &tuned};
    // Rows that are aligned to 16 bytes and whole tiles, then neither.
    std::vector<Shape> shapes = {{128, 24, 128, false}, {67, 37, 75, false}};
    bool good = true;
    for (const Rung* const rung : rungs)
        for (const Shape& shape : shapes) good &= passes(*rung, shape);
    // The last rung's larger tiles.
    for (const Shape& shape : {Shape{1024, 37, 1152, true}, Shape{1024, 37, 1151, true},
                               Shape{1152, 37, 2048, true}, Shape{1151, 37, 2047, true}})
        good &= passes(tuned, shape);
    return good ? 0 : 1;
}
