// Attack: to read the tiles by a function of the C++ library, unseen by the race check.
// Remark: kernel code calls std::
// Base: build/mistakes/lab2_tiled/kernel/second_barrier_missing.cu
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>

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

// The library reads the element, not this file's code.
__device__ float unseen(const float* element) {
    const std::wstring word(reinterpret_cast<const wchar_t*>(element), 1);
    float value;
    memcpy(&value, word.data(), sizeof value);
    return value;
}

__global__ void tiledMatrixMulKernel(const float* M, const float* N, float* P, int Width) {
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;

    float Pvalue = 0.0f;
    for (int ph = 0; ph < Width / TILE_WIDTH; ++ph) {
        Mds[ty][tx] = M[Row * Width + ph * TILE_WIDTH + tx];
        Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * Width + Col];
        __syncthreads();

        for (int k = 0; k < TILE_WIDTH; ++k) {
            Pvalue += unseen(&Mds[ty][k]) * unseen(&Nds[k][tx]);
        }
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
    tiledMatrixMulKernel<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}
