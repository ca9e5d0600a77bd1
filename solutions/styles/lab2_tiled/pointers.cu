// Pointers walk from tile to tile instead of indices; the sum has another name.
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

__global__ void tiledMatrixMulKernel(const float* __restrict__ M, const float* __restrict__ N,
                                     float* __restrict__ P, int Width) {
    __shared__ float tileM[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tileN[TILE_WIDTH][TILE_WIDTH];

    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const float* m = M + (blockIdx.y * TILE_WIDTH + ty) * Width + tx;
    const float* n = N + ty * Width + blockIdx.x * TILE_WIDTH + tx;
    const float* const end = m + Width;

    float sum = 0.0f;
    while (m < end) {
        tileM[ty][tx] = *m;
        tileN[ty][tx] = *n;
        m += TILE_WIDTH;
        n += TILE_WIDTH * Width;
        __syncthreads();

        const float* row = tileM[ty];
        const float* column = &tileN[0][tx];
        for (int k = 0; k < TILE_WIDTH; ++k, column += TILE_WIDTH) sum += row[k] * *column;
        __syncthreads();
    }
    P += (blockIdx.y * TILE_WIDTH + ty) * Width + blockIdx.x * TILE_WIDTH + tx;
    *P = sum;
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
