// Rung 7: warp tile. Each warp computes a compact 64 x 32 piece of P, and a thread 2 x 2 pieces of
// 4 x 4, so that the lanes of a warp read quads that are side by side.
//
// Predicted: in rung 6 the 16 threads of a row read Nds eight columns apart, 32 bytes, so that
// every second bank idles. Here a warp reads 64 + 32 values per step and uses no bank twice. A
// tenth faster.
//
// measured:begin
// Measured on an NVIDIA H200: 36.0 TFLOP/s at N = 4096, 71.8 % of cuBLAS,
// 1.04 times rung 6.
// 2.8 at 512, 11.4 at 1024, 35.7 at 2048, 35.9 at 8192, 34.9 at 16384, 34.7 at 4097x3001x5003.
// measured:end
#include "ladder.h"

constexpr int kTileRows = 128, kTileCols = 128, kTileDepth = 8;
constexpr int kThreads = 256;              // 2 x 4 warps, each 64 x 32 elements of P
constexpr int kMdsStride = kTileRows + 4;  // so that storing a transposed quad uses each bank once

template <bool Aligned>
__global__ void __launch_bounds__(kThreads)
    warpTileKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    __shared__ __align__(16) float Mds[kTileDepth][kMdsStride];
    __shared__ __align__(16) float Nds[kTileDepth][kTileCols];
    int tileRow = blockIdx.y * kTileRows, tileCol = blockIdx.x * kTileCols;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    // The first of a thread's quads of rows and of columns; the second is half a warp tile further.
    int ty = warp / 4 * 64 + lane / 4 * 4, tx = warp % 4 * 32 + lane % 4 * 4;
    int mRow = threadIdx.x / 2, mCol = threadIdx.x % 2 * 4;
    int nRow = threadIdx.x / 32, nCol = threadIdx.x % 32 * 4;

    float Pvalue[8][8] = {};
    for (int done = 0; done < k; done += kTileDepth) {
        float4 m4 = quadAt<Aligned>(M, j, k, tileRow + mRow, done + mCol);
        Mds[mCol][mRow] = m4.x;
        Mds[mCol + 1][mRow] = m4.y;
        Mds[mCol + 2][mRow] = m4.z;
        Mds[mCol + 3][mRow] = m4.w;
        quad(Nds[nRow][nCol]) = quadAt<Aligned>(N, k, l, done + nRow, tileCol + nCol);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < kTileDepth; ++i) {
            __align__(16) float m[8], n[8];
            quad(m[0]) = quad(Mds[i][ty]);
            quad(m[4]) = quad(Mds[i][ty + 32]);
            quad(n[0]) = quad(Nds[i][tx]);
            quad(n[4]) = quad(Nds[i][tx + 16]);
            multiplyAdd(m, n, Pvalue);
        }
        __syncthreads();
    }

    storeQuads<Aligned, 32, 16>(P, j, l, tileRow + ty, tileCol + tx, Pvalue);
}

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    dim3 dimGrid(blocksFor(l, kTileCols), blocksFor(j, kTileRows));
    bool aligned = rowsAligned(M, k) && rowsAligned(N, l) && rowsAligned(P, l);
    auto kernel = aligned ? warpTileKernel<true> : warpTileKernel<false>;
    kernel<<<dimGrid, kThreads>>>(M, N, P, j, k, l);
}

const Rung warpTile = {"07_warp_tile", launch, always<kTileRows, kTileCols>};
