// Lab 3, padding: instead of conditions in the kernel, the host makes the matrices larger on the
// device, so that whole tiles cover them, and fills what it adds with zeros.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#ifndef TILE_WIDTH
#define TILE_WIDTH 16
#endif

// Ends the program where a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

// The tiled kernel of lab 2, for whole tiles only: M is J x K, N is K x L, P is J x L, and
// TILE_WIDTH divides all three.
__global__ void wholeTilesKernel(const float* M, const float* N, float* P, int K, int L) {
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_WIDTH + ty;
    int Col = blockIdx.x * TILE_WIDTH + tx;

    float Pvalue = 0.0f;
    for (int ph = 0; ph < K / TILE_WIDTH; ++ph) {
        Mds[ty][tx] = M[Row * K + ph * TILE_WIDTH + tx];
        Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * L + Col];
        __syncthreads();

        for (int i = 0; i < TILE_WIDTH; ++i) {
            Pvalue += Mds[ty][i] * Nds[i][tx];
        }
        __syncthreads();
    }
    P[Row * L + Col] = Pvalue;
}

void boundedMatrixMulPadded(const float* M, const float* N, float* P, int j, int k, int l) {
    int J = ((j - 1) / TILE_WIDTH + 1) * TILE_WIDTH;
    int K = ((k - 1) / TILE_WIDTH + 1) * TILE_WIDTH;
    int L = ((l - 1) / TILE_WIDTH + 1) * TILE_WIDTH;

    size_t bytesM = static_cast<size_t>(J) * K * sizeof(float);
    size_t bytesN = static_cast<size_t>(K) * L * sizeof(float);
    size_t bytesP = static_cast<size_t>(J) * L * sizeof(float);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytesM));
    CHECK(cudaMalloc(&d_N, bytesN));
    CHECK(cudaMalloc(&d_P, bytesP));

    CHECK(cudaMemset(d_M, 0, bytesM));
    CHECK(cudaMemset(d_N, 0, bytesN));
    CHECK(cudaMemcpy2D(d_M, K * sizeof(float), M, k * sizeof(float), k * sizeof(float), j,
                       cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(d_N, L * sizeof(float), N, l * sizeof(float), l * sizeof(float), k,
                       cudaMemcpyHostToDevice));

    dim3 dimGrid(L / TILE_WIDTH, J / TILE_WIDTH);
    dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
    wholeTilesKernel<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, K, L);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy2D(P, l * sizeof(float), d_P, L * sizeof(float), l * sizeof(float), j,
                       cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}
