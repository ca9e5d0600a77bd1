// Lab 2: tiled matrix multiplication, P = M x N, all of them Width x Width. Width is a multiple of
// TILE_WIDTH. The threads of a block share what they load: in each phase they load one tile of M
// and one tile of N into shared memory. The handout is README.md in this folder.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// `make test TILE_WIDTH=32` sets another width.
#ifndef TILE_WIDTH
#define TILE_WIDTH 16
#endif

// Ends the program if a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

__global__ void tiledMatrixMulKernel(const float* M, const float* N, float* P, int Width) {
    // TODO(1): declare two shared arrays of TILE_WIDTH x TILE_WIDTH floats, Mds and Nds. They hold
    // one tile of M and one tile of N for all threads of the block.

    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;

    float Pvalue = 0.0f;
    for (int ph = 0; ph < Width / TILE_WIDTH; ++ph) {
        // TODO(2): load one element of M into Mds[ty][tx]. It is in row Row and in tile ph.

        // TODO(3): load one element of N into Nds[ty][tx]. It is in column Col and in tile ph.

        // TODO(4): wait until all threads of the block have loaded their elements.

        // TODO(5): add TILE_WIDTH products to Pvalue, of row ty of Mds and column tx of Nds.

        // TODO(6): wait until all threads have read these tiles: the next phase overwrites them.
    }

    // TODO(7): store Pvalue in this thread's element of P.
}

void tiledMatrixMul(const float* M, const float* N, float* P, int Width) {
    size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytes));
    CHECK(cudaMalloc(&d_N, bytes));
    CHECK(cudaMalloc(&d_P, bytes));
    CHECK(cudaMemcpy(d_M, M, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice));

    dim3 dimGrid(Width / TILE_WIDTH, Width / TILE_WIDTH);
    dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
    tiledMatrixMulKernel<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}
