// Rung 5: two-dimensional register tile. A thread computes 8 x 8 elements of P: sixteen values in
// registers serve 64 multiply-adds.
//
// Predicted: a quarter of a value from shared memory per multiply-add; rung 4 reads 1.1 and
// rung 3 two. Two to three times rung 4, less what bank conflicts cost: the threads of a warp read
// Nds eight columns apart.
//
// measured:begin
// Measured on an NVIDIA H200: 21.1 TFLOP/s at N = 4096, 42.2 % of cuBLAS,
// 1.29 times rung 4.
// 1.6 at 512, 6.9 at 1024, 20.8 at 2048, 21.3 at 8192, 21.3 at 16384, 20.5 at 4097x3001x5003.
// measured:end
#include "ladder.h"

constexpr int kTileRows = 128, kTileCols = 128, kTileDepth = 8;
constexpr int kRowsPerThread = 8, kColsPerThread = 8;
constexpr int kThreads = kTileRows / kRowsPerThread * kTileCols / kColsPerThread;

__global__ void __launch_bounds__(kThreads)
    registerTile2dKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    __shared__ float Mds[kTileRows][kTileDepth];
    __shared__ float Nds[kTileDepth][kTileCols];
    int tileRow = blockIdx.y * kTileRows, tileCol = blockIdx.x * kTileCols;
    int tx = threadIdx.x % (kTileCols / kColsPerThread) * kColsPerThread;
    int ty = threadIdx.x / (kTileCols / kColsPerThread) * kRowsPerThread;

    float Pvalue[kRowsPerThread][kColsPerThread] = {};
    for (int done = 0; done < k; done += kTileDepth) {
        for (int e = threadIdx.x; e < kTileRows * kTileDepth; e += kThreads) {
            int row = e / kTileDepth, col = e % kTileDepth;
            Mds[row][col] = at(M, j, k, tileRow + row, done + col);
        }
        for (int e = threadIdx.x; e < kTileDepth * kTileCols; e += kThreads) {
            int row = e / kTileCols, col = e % kTileCols;
            Nds[row][col] = at(N, k, l, done + row, tileCol + col);
        }
        __syncthreads();
        for (int i = 0; i < kTileDepth; ++i) {
            float m[kRowsPerThread], n[kColsPerThread];
            for (int r = 0; r < kRowsPerThread; ++r) m[r] = Mds[ty + r][i];
            for (int c = 0; c < kColsPerThread; ++c) n[c] = Nds[i][tx + c];
            multiplyAdd(m, n, Pvalue);
        }
        __syncthreads();
    }

    for (int r = 0; r < kRowsPerThread; ++r) {
        for (int c = 0; c < kColsPerThread; ++c) {
            int Row = tileRow + ty + r, Col = tileCol + tx + c;
            if (Row < j && Col < l) P[static_cast<size_t>(Row) * l + Col] = Pvalue[r][c];
        }
    }
}

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    dim3 dimGrid(blocksFor(l, kTileCols), blocksFor(j, kTileRows));
    registerTile2dKernel<<<dimGrid, kThreads>>>(M, N, P, j, k, l);
}

const Rung registerTile2d = {"05_register_tile_2d", launch, always<kTileRows, kTileCols>};
