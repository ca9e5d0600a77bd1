// Rung 14: chosen. Which tiles, and whether blocks share them along k, follows from the time that a
// model predicts for each choice: how many phases the busiest SM goes through, and what it costs to
// begin a tile and to add up parts.
//
// Predicted: no tile is best everywhere. 128 x 256 loads least for a product, but 1536 x 1536 has
// only 72 of them; 64 x 128 fills the SMs evenly; 8 x 256 wastes nothing on eight rows. At or over
// cuBLAS on every shape.
//
// measured:begin
// Measured on an NVIDIA H200: 52.8 TFLOP/s at N = 4096, 104.2 % of cuBLAS,
// 1.00 times rung 13.
// 19.8 at 512, 40.7 at 1024, 51.6 at 2048, 53.5 at 8192, 53.7 at 16384, 43.7 at 4097x3001x5003.
// measured:end
#include <algorithm>

#include "choice.h"
#include "fallback.h"
#include "shapes.h"

// Returns the fastest on this device by the model.
static Choice chooseHere(const Variant* variants, bool aligned, int j, int k, int l) {
    Tiles tiles[kVariants];
    for (int v = 0; v < kVariants; ++v)
        tiles[v] = {variants[v].rows, variants[v].cols, variants[v].depth,
                    variants[v].blocksThatFit()};
    return choose(tiles, multiprocessors(), aligned, j, k, l);
}

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    [[maybe_unused]] static const bool told =
        tellFallback("14_chosen", Tile128x256<4>::sharedBytes, "smaller ones run");
    if (j <= 4 || l <= 4) return fewRows.launch(M, N, P, j, k, l);
    bool aligned = rowsAligned(N, l);
    // On so little work for an element of P its store is all that counts.
    bool fills = blocksFor(j, 128) * blocksFor(l, 128) >= multiprocessors();
    constexpr int kDepth = Tile128x256<4>::depth;
    if (aligned && (k <= kDepth || (k <= 4 * kDepth && fills)))
        return asyncCopies.launch(M, N, P, j, k, l);
    if (k <= kDepth) return registerTile1d.launch(M, N, P, j, k, l);
    const Variant* variants = aligned ? alignedVariants : unalignedVariants;
    // A program that multiplies in a loop asks again and again.
    static int last[4] = {};
    static Choice choice;
    int now[4] = {j, k, l, aligned};
    if (!std::equal(now, now + 4, last)) {
        choice = chooseHere(variants, aligned, j, k, l);
        std::copy(now, now + 4, last);
    }
    if (choice.variant < 0) return asyncCopies.launch(M, N, P, j, k, l);
    // Rung 10 is a little faster with whole tiles of its own shape.
    if (choice.variant == 0 && choice.shared == 0) return tuned.launch(M, N, P, j, k, l);
    variants[choice.variant].launch(M, N, P, j, k, l, choice.blocks, choice.shared, choice.sharers);
}

const Rung chosen = {"14_chosen", launch, always<128, 256>};
