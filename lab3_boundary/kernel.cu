// Lab 3: tiled matrix multiplication of any shape: M is j x k, N is k x l, P = M x N is j x l.
// Tiles can reach over every edge. The handout is README.md in this folder.
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

__global__ void boundedMatrixMulKernel(const float* M, const float* N, float* P, int j, int k,
                                       int l) {
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;

    // TODO(1): compute the number of phases. Their tiles must cover all k columns of M and all k
    // rows of N, even if k is not a multiple of TILE_WIDTH.
    int phases = 0;

    float Pvalue = 0.0f;
    for (int ph = 0; ph < phases; ++ph) {
        // TODO(2): if this thread's element of M is inside M, load it into Mds[ty][tx]. It is in
        // row Row and column ph * TILE_WIDTH + tx. How long is a row of M?

        // TODO(3): if this thread's element of N is inside N, load it into Nds[ty][tx]. It is in
        // row ph * TILE_WIDTH + ty and column Col. How long is a row of N?

        // TODO(4): if there is nothing to load, store 0.0f in the tile instead, for M and for N.

        __syncthreads();

        for (int i = 0; i < TILE_WIDTH; ++i) {
            Pvalue += Mds[ty][i] * Nds[i][tx];
        }
        __syncthreads();
    }

    // TODO(5): if this thread's element of P is inside P, store Pvalue in it.
}

void boundedMatrixMul(const float* M, const float* N, float* P, int j, int k, int l) {
    size_t bytesM = static_cast<size_t>(j) * k * sizeof(float);
    size_t bytesN = static_cast<size_t>(k) * l * sizeof(float);
    size_t bytesP = static_cast<size_t>(j) * l * sizeof(float);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytesM));
    CHECK(cudaMalloc(&d_N, bytesN));
    CHECK(cudaMalloc(&d_P, bytesP));
    CHECK(cudaMemcpy(d_M, M, bytesM, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_N, N, bytesN, cudaMemcpyHostToDevice));

    // TODO(6): choose just enough blocks to cover P. x counts its columns, y counts its rows.
    dim3 dimGrid(1, 1);
    dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
    boundedMatrixMulKernel<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, j, k, l);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(P, d_P, bytesP, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}
