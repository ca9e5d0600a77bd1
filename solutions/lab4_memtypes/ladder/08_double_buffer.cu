// Rung 8: double buffering. While the block multiplies one pair of tiles, the next is on its way
// from global memory into registers; it is then stored into the other of two pairs in shared
// memory.
//
// Predicted: the wait for global memory, some 600 cycles per phase, overlaps with the 512
// multiply-adds of a thread, and one barrier per phase is enough. A tenth to a fifth faster.
//
// measured:begin
// Measured on an NVIDIA H200: 43.7 TFLOP/s at N = 4096, 87.1 % of cuBLAS,
// 1.21 times rung 7.
// 4.8 at 512, 20.0 at 1024, 42.8 at 2048, 44.1 at 8192, 44.3 at 16384, 40.2 at 4097x3001x5003.
// measured:end
#include "ladder.h"

constexpr int kTileRows = 128, kTileCols = 128, kTileDepth = 8;
constexpr int kThreads = 256;
constexpr int kMdsStride = kTileRows + 4;

template <bool Aligned>
__global__ void __launch_bounds__(kThreads)
    doubleBufferKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    __shared__ __align__(16) float Mds[2][kTileDepth][kMdsStride];
    __shared__ __align__(16) float Nds[2][kTileDepth][kTileCols];
    int tileRow = blockIdx.y * kTileRows, tileCol = blockIdx.x * kTileCols;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int ty = warp / 4 * 64 + lane / 4 * 4, tx = warp % 4 * 32 + lane % 4 * 4;
    int mRow = threadIdx.x / 2, mCol = threadIdx.x % 2 * 4;
    int nRow = threadIdx.x / 32, nCol = threadIdx.x % 32 * 4;

    float4 m4, n4;
    auto load = [&](int ph) {
        m4 = quadAt<Aligned>(M, j, k, tileRow + mRow, ph * kTileDepth + mCol);
        n4 = quadAt<Aligned>(N, k, l, ph * kTileDepth + nRow, tileCol + nCol);
    };
    auto store = [&](int buffer) {
        Mds[buffer][mCol][mRow] = m4.x;
        Mds[buffer][mCol + 1][mRow] = m4.y;
        Mds[buffer][mCol + 2][mRow] = m4.z;
        Mds[buffer][mCol + 3][mRow] = m4.w;
        quad(Nds[buffer][nRow][nCol]) = n4;
    };

    float Pvalue[8][8] = {};
    int phases = (k + kTileDepth - 1) / kTileDepth;
    load(0);
    store(0);
    __syncthreads();
    for (int ph = 0; ph < phases; ++ph) {
        if (ph + 1 < phases) load(ph + 1);
#pragma unroll
        for (int i = 0; i < kTileDepth; ++i) {
            __align__(16) float m[8], n[8];
            quad(m[0]) = quad(Mds[ph % 2][i][ty]);
            quad(m[4]) = quad(Mds[ph % 2][i][ty + 32]);
            quad(n[0]) = quad(Nds[ph % 2][i][tx]);
            quad(n[4]) = quad(Nds[ph % 2][i][tx + 16]);
            multiplyAdd(m, n, Pvalue);
        }
        // The other buffer was last read before the barrier at the end of the previous phase.
        if (ph + 1 < phases) store((ph + 1) % 2);
        __syncthreads();
    }

    storeQuads<Aligned, 32, 16>(P, j, l, tileRow + ty, tileCol + tx, Pvalue);
}

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    dim3 dimGrid(blocksFor(l, kTileCols), blocksFor(j, kTileRows));
    bool aligned = rowsAligned(M, k) && rowsAligned(N, l) && rowsAligned(P, l);
    auto kernel = aligned ? doubleBufferKernel<true> : doubleBufferKernel<false>;
    kernel<<<dimGrid, kThreads>>>(M, N, P, j, k, l);
}

const Rung doubleBuffer = {"08_double_buffer", launch, always<kTileRows, kTileCols>};
