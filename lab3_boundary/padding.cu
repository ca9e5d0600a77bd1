// Lab 3, padding: the kernel has no conditions. Instead, the host makes the matrices larger on the
// device, so that whole tiles cover them, and fills the added elements with zeros.
// The handout is padding/README.md.
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

// The tiled kernel of lab 2, for whole tiles only: M is J x K, N is K x L, P is J x L. J, K and L
// are multiples of TILE_WIDTH.
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
    // TODO(1): round j, k and l up to whole tiles.
    int J = j, K = k, L = l;

    size_t bytesM = static_cast<size_t>(J) * K * sizeof(float);
    size_t bytesN = static_cast<size_t>(K) * L * sizeof(float);
    size_t bytesP = static_cast<size_t>(J) * L * sizeof(float);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytesM));
    CHECK(cudaMalloc(&d_N, bytesN));
    CHECK(cudaMalloc(&d_P, bytesP));

    // TODO(2): fill d_M and d_N with zeros: cudaMemset(pointer, 0, bytes).

    // TODO(3): copy M and N into the upper left of d_M and d_N, whose rows are longer than those on
    // the host. Copy row by row: cudaMemcpy2D(target, bytes of a row of the target, source, bytes
    // of a row of the source, bytes to copy from each row, number of rows, direction).

    dim3 dimGrid(L / TILE_WIDTH, J / TILE_WIDTH);
    dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
    wholeTilesKernel<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, K, L);
    CHECK(cudaGetLastError());

    // TODO(4): copy the upper left j x l elements of d_P into P in the same way.

    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}
