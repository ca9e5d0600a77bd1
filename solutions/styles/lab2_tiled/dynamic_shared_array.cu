// The tiles lie in dynamic shared memory, whose size is the third parameter of the launch.
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

__global__ void tiledMatrixMulKernel(const float* M, const float* N, float* P, int Width) {
    extern __shared__ float MdsNds[];
    float* Mds = MdsNds;
    float* Nds = MdsNds + blockDim.x * blockDim.y;

    int T = blockDim.x;
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * T + ty;
    int Col = blockIdx.x * T + tx;

    float Pvalue = 0.0f;
    for (int ph = 0; ph < Width / T; ++ph) {
        Mds[ty * T + tx] = M[Row * Width + ph * T + tx];
        Nds[ty * T + tx] = N[(ph * T + ty) * Width + Col];
        __syncthreads();

        for (int k = 0; k < T; ++k) Pvalue += Mds[ty * T + k] * Nds[k * T + tx];
        __syncthreads();
    }
    P[Row * Width + Col] = Pvalue;
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
    tiledMatrixMulKernel<<<dimGrid, dimBlock, 2 * TILE_WIDTH * TILE_WIDTH * sizeof(float)>>>(
        d_M, d_N, d_P, Width);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}
