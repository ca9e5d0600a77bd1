// A device function that loads, or gives 0 beyond the edges; sizes as template parameter and
// size_t; the sum begins with the first phase's tiles already loaded.
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

__device__ float elementOf(const float* __restrict__ matrix, size_t row, size_t col, size_t rows,
                           size_t cols) {
    if (row >= rows || col >= cols) return 0.0f;
    return matrix[row * cols + col];
}

template <int T>
__global__ void boundedMatrixMulKernel(const float* __restrict__ M, const float* __restrict__ N,
                                       float* __restrict__ P, size_t j, size_t k, size_t l) {
    __shared__ float Mds[T][T];
    __shared__ float Nds[T][T];

    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const size_t Row = static_cast<size_t>(blockIdx.y) * T + ty;
    const size_t Col = static_cast<size_t>(blockIdx.x) * T + tx;

    float Pvalue = 0.0f;
    float m = elementOf(M, Row, tx, j, k);
    float n = elementOf(N, ty, Col, k, l);
    for (size_t first = 0; first < k; first += T) {
        Mds[ty][tx] = m;
        Nds[ty][tx] = n;
        __syncthreads();
        m = elementOf(M, Row, first + T + tx, j, k);
        n = elementOf(N, first + T + ty, Col, k, l);
        for (int i = 0; i < T; ++i) Pvalue += Mds[ty][i] * Nds[i][tx];
        __syncthreads();
    }
    if (Row < j && Col < l) P[Row * l + Col] = Pvalue;
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

    dim3 dimGrid((l - 1) / TILE_WIDTH + 1, (j - 1) / TILE_WIDTH + 1);
    dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
    boundedMatrixMulKernel<TILE_WIDTH><<<dimGrid, dimBlock>>>(d_M, d_N, d_P, j, k, l);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(P, d_P, bytesP, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}
