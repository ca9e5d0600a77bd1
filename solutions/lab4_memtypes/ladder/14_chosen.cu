// Rung 14: chosen. A model predicts the time of each choice of tiles, with and without sharing
// along k, from the phases of the busiest SM and the costs of beginning a tile and of adding up
// parts.
//
// Predicted: no tile is best everywhere. 128 x 256 loads least for a product, but 1536 x 1536 has
// only 72 of them; 64 x 128 fills the SMs evenly; 8 x 256 wastes nothing on eight rows. At or over
// cuBLAS on every shape.
//
// measured:begin
// Measured on an NVIDIA H200: 52.7 TFLOP/s at N = 4096, 105.0 % of cuBLAS,
// 1.00 times rung 13.
// 19.3 at 512, 40.1 at 1024, 51.4 at 2048, 53.4 at 8192, 53.8 at 16384, 48.6 at 4097x3001x5003.
// measured:end
#include <algorithm>

#include "choice.h"
#include "fallback.h"
#include "shapes.h"

// Returns the fastest on this device by the model.
static Choice chooseHere(bool aligned, int j, int k, int l) {
    AllTiles all;
    auto tiles = [](const Variant& one) -> Tiles {
        return {one.rows, one.cols, one.depth, one.blocksThatFit()};
    };
    std::transform(alignedVariants, alignedVariants + kVariants, all.quads, tiles);
    std::transform(unalignedVariants, unalignedVariants + kVariants, all.singles, tiles);
    return choose(all, multiprocessors(), aligned, j, k, l);
}

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    [[maybe_unused]] static const bool told =
        tellFallback("14_chosen", Tile128x256<4>::sharedBytes, "smaller ones run");
    bool aligned = rowsAligned(N, l);
    const Rung* other = otherRung(Tile128x256<4>::depth, multiprocessors(), aligned, j, k, l);
    if (other) return other->launch(M, N, P, j, k, l);
    // A program that multiplies in a loop makes the same choice repeatedly.
    static int last[4] = {};
    static Choice choice;
    int now[4] = {j, k, l, aligned};
    if (!std::equal(now, now + 4, last)) {
        choice = chooseHere(aligned, j, k, l);
        std::copy(now, now + 4, last);
    }
    if (choice.variant < 0) return asyncCopies.launch(M, N, P, j, k, l);
    // Rung 10 is a little faster with whole tiles of its own shape.
    if (aligned && choice.variant == 0 && choice.shared == 0) return tuned.launch(M, N, P, j, k, l);
    const Variant* variants = choice.singles ? unalignedVariants : alignedVariants;
    variants[choice.variant].launch(M, N, P, j, k, l, choice.blocks, choice.shared, choice.sharers);
}

const Rung chosen = {"14_chosen", launch, always<128, 256>};
