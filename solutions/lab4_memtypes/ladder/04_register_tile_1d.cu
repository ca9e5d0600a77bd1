// Rung 4: one-dimensional register tile. A thread computes eight elements of P, one below the
// other: an element of N, once in a register, serves all eight.
//
// Predicted: eight multiply-adds read nine values from shared memory, rung 3 sixteen,
// and those of M four at a time. About twice as fast as rung 3.
//
// measured:begin
// Measured on an NVIDIA H200: 16.4 TFLOP/s at N = 4096, 32.8 % of cuBLAS,
// 1.74 times rung 3.
// 4.4 at 512, 16.2 at 1024, 16.8 at 2048, 16.4 at 8192, 15.8 at 4097x3001x5003.
// measured:end
#include "ladder.h"

constexpr int kTileRows = 64, kTileCols = 64, kTileDepth = 8, kRowsPerThread = 8;
constexpr int kThreads = kTileRows * kTileCols / kRowsPerThread;
static_assert(kTileRows * kTileDepth == kThreads && kTileDepth * kTileCols == kThreads,
              "each thread loads one element of either tile");

__global__ void registerTile1dKernel(const float* M, const float* N, float* P, int j, int k,
                                     int l) {
    __shared__ float Mds[kTileRows][kTileDepth];
    __shared__ float Nds[kTileDepth][kTileCols];
    int tileRow = blockIdx.y * kTileRows, tileCol = blockIdx.x * kTileCols;
    int tx = threadIdx.x % kTileCols;
    int ty = threadIdx.x / kTileCols * kRowsPerThread;
    int mRow = threadIdx.x / kTileDepth, mCol = threadIdx.x % kTileDepth;
    int nRow = threadIdx.x / kTileCols, nCol = threadIdx.x % kTileCols;

    float Pvalue[kRowsPerThread] = {};
    for (int done = 0; done < k; done += kTileDepth) {
        Mds[mRow][mCol] = at(M, j, k, tileRow + mRow, done + mCol);
        Nds[nRow][nCol] = at(N, k, l, done + nRow, tileCol + nCol);
        __syncthreads();
        for (int i = 0; i < kTileDepth; ++i) {
            float n = Nds[i][tx];
            for (int r = 0; r < kRowsPerThread; ++r) {
                Pvalue[r] += Mds[ty + r][i] * n;
            }
        }
        __syncthreads();
    }

    int Col = tileCol + tx;
    for (int r = 0; r < kRowsPerThread; ++r) {
        int Row = tileRow + ty + r;
        if (Row < j && Col < l) P[static_cast<size_t>(Row) * l + Col] = Pvalue[r];
    }
}

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    dim3 dimGrid(blocksFor(l, kTileCols), blocksFor(j, kTileRows));
    registerTile1dKernel<<<dimGrid, kThreads>>>(M, N, P, j, k, l);
}

const Rung registerTile1d = {"04_register_tile_1d", launch, always<kTileRows, kTileCols>};
