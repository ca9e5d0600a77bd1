// Rung 9: asynchronous copies. cp.async moves data from global to shared memory without passing a
// register, so that the tiles of three phases can be on their way while a fourth is multiplied.
//
// Predicted: no registers for data on its way and no stores into shared memory, and twice the
// time for memory to answer. M is copied element by element, because an asynchronous copy cannot
// transpose: four copies instead of rung 8's one load. A few percent faster.
//
// measured:begin
// Measured on an NVIDIA H200: 41.1 TFLOP/s at N = 4096, 82.0 % of cuBLAS,
// 0.94 times rung 8.
// 4.6 at 512, 18.9 at 1024, 40.1 at 2048, 42.1 at 8192, 43.0 at 16384, 36.1 at 4097x3001x5003.
// measured:end
#include <cuda_pipeline.h>

#include "fallback.h"
#include "ladder.h"

constexpr int kTileRows = 128, kTileCols = 128, kTileDepth = 8, kStages = 4;
constexpr int kThreads = 256;
constexpr int kMdsStride = kTileRows + 4;
constexpr int kMRowsAPass = kThreads / kTileDepth, kMPasses = kTileRows / kMRowsAPass;

template <bool Aligned>
__global__ void __launch_bounds__(kThreads, 2)
    asyncCopiesKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    __shared__ __align__(16) float Mds[kStages][kTileDepth][kMdsStride];
    __shared__ __align__(16) float Nds[kStages][kTileDepth][kTileCols];
    int tileRow = blockIdx.y * kTileRows, tileCol = blockIdx.x * kTileCols;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int ty = warp / 4 * 64 + lane / 4 * 4, tx = warp % 4 * 32 + lane % 4 * 4;

    // Sources of this thread's copies of the next phase. Rows and columns past the edge repeat
    // those of the edge; their results are not stored.
    int mRow = threadIdx.x / kTileDepth, mCol = threadIdx.x % kTileDepth;
    const float* mFrom[kMPasses];
    for (int pass = 0; pass < kMPasses; ++pass) {
        int Row = min(tileRow + mRow + pass * kMRowsAPass, j - 1);
        mFrom[pass] = M + static_cast<size_t>(Row) * k + mCol;
    }
    constexpr int kWidth = Aligned ? 4 : 1;  // floats of N that one copy moves
    constexpr int kNRowsAPass = kThreads * kWidth / kTileCols;
    int nRow = threadIdx.x * kWidth / kTileCols, nCol = threadIdx.x * kWidth % kTileCols;
    const float* nFrom = N + static_cast<size_t>(nRow) * l + min(tileCol + nCol, l - kWidth);

    // Past the last column of M and the last row of N, the copy reads nothing and writes zeros.
    auto copyTiles = [&](int ph) {
        int stage = ph % kStages, left = k - ph * kTileDepth;
        int mZeros = mCol < left ? 0 : 4;
#pragma unroll
        for (int pass = 0; pass < kMPasses; ++pass) {
            float* to = &Mds[stage][mCol][mRow + pass * kMRowsAPass];
            __pipeline_memcpy_async(to, mFrom[pass], 4, mZeros);
        }
#pragma unroll
        for (int row = 0; row < kTileDepth; row += kNRowsAPass) {
            int nZeros = nRow + row < left ? 0 : 4 * kWidth;
            const float* from = nFrom + static_cast<size_t>(row) * l;
            __pipeline_memcpy_async(&Nds[stage][nRow + row][nCol], from, 4 * kWidth, nZeros);
        }
    };
    auto advance = [&] {
#pragma unroll
        for (int pass = 0; pass < kMPasses; ++pass) mFrom[pass] += kTileDepth;
        nFrom += static_cast<size_t>(kTileDepth) * l;
    };

    float Pvalue[8][8] = {};
    int phases = (k + kTileDepth - 1) / kTileDepth;
    for (int ph = 0; ph < kStages - 1; ++ph) {
        if (ph < phases) copyTiles(ph);
        advance();
        __pipeline_commit();
    }
    for (int ph = 0; ph < phases; ++ph) {
        // All copies of this thread except the newest group have arrived, and after the barrier
        // those of all threads. No thread reads the previous phase's stage any more.
        __pipeline_wait_prior(kStages - 2);
        __syncthreads();
        if (ph + kStages - 1 < phases) copyTiles(ph + kStages - 1);
        __pipeline_commit();
        int stage = ph % kStages;
#pragma unroll
        for (int i = 0; i < kTileDepth; ++i) {
            __align__(16) float m[8], n[8];
            quad(m[0]) = quad(Mds[stage][i][ty]);
            quad(m[4]) = quad(Mds[stage][i][ty + 32]);
            quad(n[0]) = quad(Nds[stage][i][tx]);
            quad(n[4]) = quad(Nds[stage][i][tx + 16]);
            multiplyAdd(m, n, Pvalue);
        }
        // Not right after the copies, which still read the pointers.
        advance();
    }

    storeQuads<Aligned, 32, 16>(P, j, l, tileRow + ty, tileCol + tx, Pvalue);
}

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    [[maybe_unused]] static const bool told = tellFallback("09_async_copies", 0, "");
    dim3 dimGrid(blocksFor(l, kTileCols), blocksFor(j, kTileRows));
    bool aligned = rowsAligned(N, l) && rowsAligned(P, l);
    auto kernel = aligned ? asyncCopiesKernel<true> : asyncCopiesKernel<false>;
    kernel<<<dimGrid, kThreads>>>(M, N, P, j, k, l);
}

const Rung asyncCopies = {"09_async_copies", launch, always<kTileRows, kTileCols>};
