// Rung 6: loads of 16 bytes. Global and shared memory are read four floats at a time. M is
// transposed on its way into shared memory, so that the eight values of M that a thread needs are
// side by side there, too. From here on the steps of a phase are unrolled.
//
// Predicted: a quarter of the load instructions; an instruction slot that is not a load is a
// multiply-add. A tenth to a third faster than rung 5.
//
// measured:begin
// Measured on an NVIDIA H200: 34.8 TFLOP/s at N = 4096, 69.4 % of cuBLAS,
// 1.65 times rung 5.
// 2.6 at 512, 10.9 at 1024, 34.0 at 2048, 34.7 at 8192, 34.0 at 16384, 32.2 at 4097x3001x5003.
// measured:end
#include "ladder.h"

constexpr int kTileRows = 128, kTileCols = 128, kTileDepth = 8;
constexpr int kThreads = 256;              // 16 x 16, each 8 x 8 elements of P
constexpr int kMdsStride = kTileRows + 4;  // so that storing a transposed quad uses each bank once

template <bool Aligned>
__global__ void __launch_bounds__(kThreads)
    vectorLoadsKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    __shared__ __align__(16) float Mds[kTileDepth][kMdsStride];
    __shared__ __align__(16) float Nds[kTileDepth][kTileCols];
    int tileRow = blockIdx.y * kTileRows, tileCol = blockIdx.x * kTileCols;
    int tx = threadIdx.x % 16 * 8, ty = threadIdx.x / 16 * 8;
    // Each thread loads one quad of either tile.
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
            quad(m[4]) = quad(Mds[i][ty + 4]);
            quad(n[0]) = quad(Nds[i][tx]);
            quad(n[4]) = quad(Nds[i][tx + 4]);
            multiplyAdd(m, n, Pvalue);
        }
        __syncthreads();
    }

    storeQuads<Aligned, 4, 4>(P, j, l, tileRow + ty, tileCol + tx, Pvalue);
}

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    dim3 dimGrid(blocksFor(l, kTileCols), blocksFor(j, kTileRows));
    bool aligned = rowsAligned(M, k) && rowsAligned(N, l) && rowsAligned(P, l);
    auto kernel = aligned ? vectorLoadsKernel<true> : vectorLoadsKernel<false>;
    kernel<<<dimGrid, kThreads>>>(M, N, P, j, k, l);
}

const Rung vectorLoads = {"06_vector_loads", launch, always<kTileRows, kTileCols>};
