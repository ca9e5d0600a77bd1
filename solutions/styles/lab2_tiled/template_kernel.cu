// A template does the work, with the width of a tile as its parameter.
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

template <int T>
__device__ float innerProduct(const float (&Mds)[T][T], const float (&Nds)[T][T]) {
    float sum = 0.0f;
    for (int k = 0; k < T; ++k) sum += Mds[threadIdx.y][k] * Nds[k][threadIdx.x];
    return sum;
}

template <int T>
__global__ void multiplyTiles(const float* M, const float* N, float* P, int Width) {
    __shared__ float Mds[T][T], Nds[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * T + ty, Col = blockIdx.x * T + tx;
    float Pvalue = 0.0f;
    for (int ph = 0; ph < Width / T; ++ph) {
        Mds[ty][tx] = M[Row * Width + ph * T + tx];
        Nds[ty][tx] = N[(ph * T + ty) * Width + Col];
        __syncthreads();
        Pvalue += innerProduct<T>(Mds, Nds);
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
    multiplyTiles<TILE_WIDTH><<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}
