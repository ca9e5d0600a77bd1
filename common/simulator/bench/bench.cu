// The two kernels that the course is about, for timing the simulated device.
#include "bench.h"

#include <cuda_runtime.h>

#include <chrono>

namespace {

constexpr int kTile = 16;

__global__ void naive(const float* M, const float* N, float* P, int Width) {
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    float Pvalue = 0.0f;
    for (int k = 0; k < Width; ++k) Pvalue += M[Row * Width + k] * N[k * Width + Col];
    P[Row * Width + Col] = Pvalue;
}

__global__ void tiled(const float* M, const float* N, float* P, int Width) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * kTile + ty, Col = blockIdx.x * kTile + tx;
    float Pvalue = 0.0f;
    for (int ph = 0; ph < Width / kTile; ++ph) {
        Mds[ty][tx] = M[Row * Width + ph * kTile + tx];
        Nds[ty][tx] = N[(ph * kTile + ty) * Width + Col];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) Pvalue += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    P[Row * Width + Col] = Pvalue;
}

}  // namespace

double runBenchKernel(bool useTiles, int Width) {
    size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float);
    float *d_M, *d_N, *d_P;
    cudaMalloc(&d_M, bytes);
    cudaMalloc(&d_N, bytes);
    cudaMalloc(&d_P, bytes);
    cudaMemset(d_M, 0, bytes);
    cudaMemset(d_N, 0, bytes);
    dim3 grid(Width / kTile, Width / kTile), block(kTile, kTile);
    const auto start = std::chrono::steady_clock::now();
    if (useTiles)
        tiled<<<grid, block>>>(d_M, d_N, d_P, Width);
    else
        naive<<<grid, block>>>(d_M, d_N, d_P, Width);
    cudaDeviceSynchronize();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    cudaFree(d_M);
    cudaFree(d_N);
    cudaFree(d_P);
    return seconds.count();
}
