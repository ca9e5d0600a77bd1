// Rung 3: tiled. The block loads a tile of M and one of N into shared memory, uses each element 32
// times, and continues with the next phase.
//
// Predicted: 32 times fewer loads from global memory, which is then no longer the limit. Shared
// memory is: a multiply-add needs two loads, and an SM serves 32 per cycle and could start 128
// multiply-adds. A row of Mds is read four elements at a time, which makes 1.25 loads: a quarter of
// the arithmetic peak at best, and less with two barriers per phase.
//
// measured:begin
// Measured on an NVIDIA H200: 9.5 TFLOP/s at N = 4096, 18.9 % of cuBLAS,
// 1.65 times rung 2.
// 7.8 at 512, 9.1 at 1024, 9.4 at 2048, 9.6 at 8192, 9.3 at 4097x3001x5003.
// measured:end
#include "ladder.h"

#define TILE_WIDTH 32

__global__ void __launch_bounds__(TILE_WIDTH* TILE_WIDTH)
    tiledKernel(const float* __restrict__ M, const float* __restrict__ N, float* P, int j, int k,
                int l) {
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_WIDTH + ty;
    int Col = blockIdx.x * TILE_WIDTH + tx;

    // The elements that this thread loads in a phase. A thread outside of P loads the last row or
    // column again and stores nothing, so that only the last phase needs conditions.
    const float* m = M + static_cast<size_t>(min(Row, j - 1)) * k + tx;
    const float* n = N + static_cast<size_t>(ty) * l + min(Col, l - 1);
    float Pvalue = 0.0f;
    int left = k;
    // Two phases per iteration of the loop: the loads of the second are started early.
#pragma unroll 2
    for (; left >= TILE_WIDTH; left -= TILE_WIDTH) {
        Mds[ty][tx] = *m;
        Nds[ty][tx] = *n;
        m += TILE_WIDTH;
        n += static_cast<size_t>(TILE_WIDTH) * l;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE_WIDTH; ++i) {
            Pvalue += Mds[ty][i] * Nds[i][tx];
        }
        __syncthreads();
    }

    if (left > 0) {
        Mds[ty][tx] = tx < left ? *m : 0.0f;
        Nds[ty][tx] = ty < left ? *n : 0.0f;
        __syncthreads();
        for (int i = 0; i < left; ++i) {
            Pvalue += Mds[ty][i] * Nds[i][tx];
        }
    }
    if (Row < j && Col < l) P[static_cast<size_t>(Row) * l + Col] = Pvalue;
}

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
    dim3 dimGrid(blocksFor(l, TILE_WIDTH), blocksFor(j, TILE_WIDTH));
    tiledKernel<<<dimGrid, dimBlock>>>(M, N, P, j, k, l);
}

const Rung tiled = {"03_tiled", launch, always<TILE_WIDTH, TILE_WIDTH>};
