// Rung 12: Stream-K (arXiv 2301.03598). As many blocks as the SMs hold. Whole waves of tiles go to
// the blocks in turn; the incomplete wave, and one wave more, are shared: each block takes as
// many phases as the others, wherever tiles begin and end.
//
// Predicted: 288 tiles at N = 3072 are 2.2 waves on 132 SMs and take the time of three: 27 % are
// lost. Equal shares lose only what parts cost. At 4096, 3.9 waves, 3 %.
//
// measured:begin
// Measured on an NVIDIA H200: 52.6 TFLOP/s at N = 4096, 105.0 % of cuBLAS,
// 1.02 times rung 11.
// 13.6 at 512, 31.5 at 1024, 49.2 at 2048, 53.5 at 8192, 53.7 at 16384, 48.6 at 4097x3001x5003.
// measured:end
#include "fallback.h"
#include "shapes.h"

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    [[maybe_unused]] static const bool told =
        tellFallback("12_stream_k", Tile128x256<4>::sharedBytes, "09_async_copies runs");
    const Variant& large = alignedVariants[0];
    int fit = multiprocessors() * large.blocksThatFit(), phases = blocksFor(k, large.depth);
    if (phases < 2 || fit == 0) return asyncCopies.launch(M, N, P, j, k, l);
    int tiles = blocksFor(j, large.rows) * blocksFor(l, large.cols), rest = tiles % fit;
    int shared = rest == 0 ? 0 : min(tiles, rest + fit);
    large.launch(M, N, P, j, k, l, min(fit, tiles * phases), shared, min(fit, shared * phases));
}

const Rung streamK = {"12_stream_k", launch, always<128, 256>};
