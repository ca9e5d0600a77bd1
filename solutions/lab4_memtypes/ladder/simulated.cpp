// Runs the rungs on the simulated device at small sizes, and checks everything: races,
// bounds, unset memory, and each element that they compute. Prints a line for each rung and shape;
// ends with status 1 if anything is wrong.
//     simulated_ladder            all of them
//     simulated_ladder fallback   prints what is missing, on a device that lacks something
//     simulated_ladder choices    reads shapes, j k l, and prints what rung 14 chooses on an H200
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "choice.h"
#include "ladder.h"
#include "matrix/compare.h"
#include "simulator/findings/source_lines.h"
#include "simulator/simulator.h"
#include "variant.h"

namespace {

struct Shape {
    int j, k, l;
    // Runs only the last block, if only a large grid makes a rung choose large tiles.
    bool lastBlockOnly = false;
};
using Floats = std::vector<float>;

// Returns whole numbers, of which sums are exact, divided by `unit`.
Floats numbers(int rows, int cols, int step, float unit) {
    Floats all;
    for (int i = 0; i < rows * cols; ++i)
        all.push_back(static_cast<float>(i * step % 11 - 5) / unit);
    return all;
}

float* onDevice(const Floats& host) {
    float* device = nullptr;
    cudaMalloc(&device, host.size() * sizeof(float));
    cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    return device;
}

// A product on the device, with its inputs.
struct Product {
    Shape shape;
    Floats M, N, P;

    Product(const Shape& of,
            const std::function<void(const float*, const float*, float*, int, int, int)>& launch,
            float unit)
        : shape(of) {
        const auto& [j, k, l, lastBlockOnly] = shape;
        cusim::options().lastBlockOnly = lastBlockOnly;
        M = numbers(j, k, 7, unit);
        N = numbers(k, l, 5, unit);
        P.assign(static_cast<std::size_t>(j) * l, -1.0f);
        float *const m = onDevice(M), *const n = onDevice(N), *const p = onDevice(P);
        launch(m, n, p, j, k, l);
        cudaMemcpy(P.data(), p, P.size() * sizeof(float), cudaMemcpyDeviceToHost);
        for (float* one : {m, n, p}) cudaFree(one);
    }
    // Counts the elements that are off by more than rounding explains, in a block's tile or in all.
    int wrong(Tile tile, bool exact) const {
        const auto& [j, k, l, lastBlockOnly] = shape;
        int count = 0;
        for (int Row = lastBlockOnly ? (j - 1) / tile.rows * tile.rows : 0; Row < j; ++Row)
            for (int Col = lastBlockOnly ? (l - 1) / tile.cols * tile.cols : 0; Col < l; ++Col) {
                double sum = 0, magnitude = 0;
                for (int i = 0; i < k; ++i) {
                    const double product = static_cast<double>(M[Row * k + i]) * N[i * l + Col];
                    sum += product;
                    magnitude += std::abs(product);
                }
                const double bound = exact ? 0 : matrix::errorBound(k, magnitude);
                count += !(std::abs(P[Row * l + Col] - sum) <= bound);
            }
        return count;
    }
};

int told = 0;  // findings that have been examined

bool holds(const std::string& text, const char* part) { return text.find(part) != text.npos; }

// Tells whether a finding is known and harmless:
// - The last step of a share also loads the values of the next step, and nothing uses them: if
//   nothing has been copied there, they are NaN, and would make sums wrong.
// - A remark is formally wrong, but harmless on devices.
bool isKnown(const cusim::Finding& finding) {
    // A linker may lose the lines of a header's functions.
    const std::string line = cusim::sourceLine(finding.file, finding.line);
    const bool load = line.empty() || holds(line, "[buffer][");
    return finding.remark || (finding.kind == "unset-read" && load);
}

bool passes(const std::string& name, const Shape& shape, int wrong, int differ) {
    const auto& [j, k, l, lastBlockOnly] = shape;
    std::string found;
    for (; told < static_cast<int>(cusim::findings().size()); ++told) {
        const cusim::Finding& finding = cusim::findings()[static_cast<std::size_t>(told)];
        if (!isKnown(finding)) found += cusim::text(finding);
    }
    std::printf("%-20s %4d x %3d x %4d: %d wrong, %d differ%s\n%s", name.c_str(), j, k, l, wrong,
                differ, found.empty() ? "" : ", found:", found.c_str());
    return wrong == 0 && differ == 0 && found.empty();
}

bool passes(const Rung& rung, const Shape& shape) {
    const Product product(shape, rung.launch, 1);
    return passes(rung.name, shape, product.wrong(rung.tile(shape.j, shape.l), true), 0);
}

// Rungs whose blocks add up parts of one sum: also tests fractions, for which the order of the
// blocks must not change a bit.
bool passesInAnyOrder(const Rung& rung, const Shape& shape) {
    const Tile whole{shape.j, shape.l};
    int wrong = Product(shape, rung.launch, 1).wrong(whole, true);
    const Product fractions(shape, rung.launch, 7);
    wrong += fractions.wrong(whole, false);
    cusim::options().schedule = "reverse";
    const Product again(shape, rung.launch, 7);
    cusim::options().schedule = "forward";
    int differ = 0;
    for (std::size_t i = 0; i < again.P.size(); ++i) differ += again.P[i] != fractions.P[i];
    return passes(rung.name, shape, wrong, differ);
}

// The tiles of rung 14: two of them side by side, whose phases three blocks share, so that the
// second block has the end of one and the beginning of the other.
bool passes(const Variant& variant, bool aligned) {
    const Shape shape{variant.rows - 3, 2 * variant.depth + 5,
                      2 * variant.cols - (aligned ? 4 : 3)};
    const auto launch = [&](const float* M, const float* N, float* P, int j, int k, int l) {
        variant.launch(M, N, P, j, k, l, 3, 2, 3);
    };
    const std::string name = "tile_" + std::to_string(variant.rows) + "x" +
                             std::to_string(variant.cols) + (aligned ? "" : "_unaligned");
    return passes(name, shape, Product(shape, launch, 1).wrong({shape.j, shape.l}, true), 0);
}

bool checkAll() {
    const Rung* const rungs[] = {&naiveUncoalesced, &naive,       &tiled,    &registerTile1d,
                                 &registerTile2d,   &vectorLoads, &warpTile, &doubleBuffer,
                                 &asyncCopies,      &tuned};
    // Rows that are aligned to 16 bytes and whole tiles, then neither.
    const Shape shapes[] = {{128, 24, 128}, {67, 37, 75}};
    bool good = true;
    for (const Rung* const rung : rungs)
        for (const Shape& shape : shapes) good &= passes(*rung, shape);
    // The tenth rung's larger tiles.
    for (const Shape& shape : {Shape{1024, 37, 1152, true}, Shape{1024, 37, 1151, true},
                               Shape{1152, 37, 2048, true}, Shape{1151, 37, 2047, true}})
        good &= passes(tuned, shape);
    good &= passes(splitK, shapes[0]) && passes(streamK, {67, 37, 75});
    good &= passesInAnyOrder(splitK, {67, 21, 75});
    for (const Shape& shape : shapes) good &= passesInAnyOrder(chosen, shape);
    for (const Shape& shape :
         {Shape{1, 300, 130}, Shape{1, 300, 132}, Shape{3, 300, 75}, Shape{75, 300, 1},
          Shape{5, 300, 3}, Shape{37, 3, 75}, Shape{37, 8, 75}, Shape{37, 11, 75}})
        good &= passesInAnyOrder(fewRows, shape);
    for (const Variant& variant : alignedVariants) good &= passes(variant, true);
    for (const Variant& variant : unalignedVariants) good &= passes(variant, false);
    return good;
}

// Right products although the device lacks something; the sentence about it goes to stderr.
bool checkFallbacks() {
    bool good = true;
    for (const Rung* const rung : {&asyncCopies, &splitK, &streamK, &chosen})
        good &= passes(*rung, {67, 37, 75});
    good &= passes(tuned, {768, 37, 1536, true});
    return good;
}

// Blocks of each variant that fit an SM of compute capability 9.0, by the registers that nvcc 13.0
// gives them.
constexpr int kAlignedFit[kVariants] = {1, 1, 2, 3, 3, 4, 3, 4, 4, 3, 3, 9};
constexpr int kUnalignedFit[kVariants] = {1, 1, 2, 3, 3, 4, 3, 4, 4, 3, 4, 9};
constexpr int kSms = 132;

// Prints tiles, blocks and microseconds, or "-" for a shape that other rungs get.
void printChoices() {
    int j = 0, k = 0, l = 0;
    while (std::scanf("%d %d %d", &j, &k, &l) == 3) {
        const bool aligned = l % 4 == 0;
        if (otherRung(alignedVariants[0].depth, kSms, aligned, j, k, l)) {
            std::puts("-");
            continue;
        }
        AllTiles all;
        for (int v = 0; v < kVariants; ++v) {
            const Variant& one = alignedVariants[v];
            all.quads[v] = {one.rows, one.cols, one.depth, kAlignedFit[v]};
            all.singles[v] = {one.rows, one.cols, one.depth, kUnalignedFit[v]};
        }
        const Choice best = choose(all, kSms, aligned, j, k, l);
        const Tiles& tiles = all.quads[best.variant];
        std::printf("%dx%d %d %.3f\n", tiles.rows, tiles.cols, best.blocks, best.microseconds);
    }
}

}  // namespace

int main(int argc, char** argv) {
    // Blocks of the last rungs exchange sums with fences, and wait for one another.
    cusim::options().tolerant = true;
    const std::string what = argc == 2 ? argv[1] : "";
    if (what == "choices") return printChoices(), 0;
    return (what == "fallback" ? checkFallbacks() : checkAll()) ? 0 : 1;
}
