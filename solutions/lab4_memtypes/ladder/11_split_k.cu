// Rung 11: split along k. If P has so few tiles that SMs stay idle, blocks share a tile: each
// adds up a part of k, and then a slice of the tile from all parts, in the order of k.
//
// Predicted: at 512 x 16384 x 512 rung 10 has 64 small tiles for 132 SMs, and each block walks
// along 16384. Eight large tiles in sixteen parts keep 128 SMs busy; each further part costs 256 KB
// that are stored and loaded. Twice as fast there; nothing changes if tiles fill the SMs.
//
// measured:begin
// Measured on an NVIDIA H200: 51.8 TFLOP/s at N = 4096, 103.4 % of cuBLAS,
// 0.98 times rung 10.
// 13.7 at 512, 39.2 at 1024, 50.6 at 2048, 52.4 at 8192, 53.5 at 16384, 49.0 at 4097x3001x5003.
// measured:end
#include "fallback.h"
#include "shapes.h"

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    [[maybe_unused]] static const bool told =
        tellFallback("11_split_k", Tile128x256<4>::sharedBytes, "09_async_copies runs");
    const Variant& large = alignedVariants[0];
    int fit = multiprocessors() * large.blocksThatFit(), phases = blocksFor(k, large.depth);
    if (phases < 2 || fit == 0) return asyncCopies.launch(M, N, P, j, k, l);
    int tiles = blocksFor(j, large.rows) * blocksFor(l, large.cols);
    int parts = min(fit / tiles, phases), blocks = max(1, parts) * tiles;
    large.launch(M, N, P, j, k, l, blocks, parts > 1 ? tiles : 0, blocks);
}

const Rung splitK = {"11_split_k", launch, always<128, 256>};
