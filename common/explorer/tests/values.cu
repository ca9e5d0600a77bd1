// A kernel instead of lab 1's, with variables of many types; test_explore.py knows their values.
#include <cuda_runtime.h>

#include "lab1.h"

enum Side { kLeft, kRight = 7 };
struct Pair {
    int first;
    float second;
};
__constant__ int factors[2] = {3, 5};

__device__ float scaled(const float* from, int index) {
    const int factor = factors[index % 2];
    const float read = from[index];
    return read * static_cast<float>(factor);
}

template <class T>
__device__ __forceinline__ T twice(T value) {
    T doubled = value;
    doubled += value;
    return doubled;
}

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    __shared__ double sums[2][2];
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    const bool odd = thread % 2 == 1;
    const char letter = static_cast<char>('a' + thread);
    const Side side = odd ? kRight : kLeft;
    const long long large = 9007199254740993ll + thread;
    const float* row = M + threadIdx.y * Width;
    const float* none = nullptr;
    Pair pair = {static_cast<int>(thread), 0.5f};
    Pair& same = pair;
    dim3 extent(thread + 1, 2);
    float few[3] = {1.0f, 2.5f, -1.0f};
    float later;
    double& sum = sums[threadIdx.y][threadIdx.x];
    sum = twice(static_cast<double>(row[0]));
    __syncthreads();
    for (int n = 0; n < 2; ++n) {
        const float product = scaled(N, n) * few[n];
        same.first += n;
        same.second = product;
        {
            const int n = 100 + static_cast<int>(extent.x);
            atomicAdd(&P[thread], product + static_cast<float>(n));
        }
    }
    later = static_cast<float>(sum) + P[thread];
    if (none || side == kLeft || letter == 'z' || large < 0) return;
    P[thread] = later;
}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    const size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float);
    float *d_M, *d_N, *d_P;
    cudaMalloc(&d_M, bytes);
    cudaMalloc(&d_N, bytes);
    cudaMalloc(&d_P, bytes);
    cudaMemcpy(d_M, M, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice);
    cudaMemset(d_P, 0, bytes);
    matrixMulKernel<<<1, dim3(Width, Width)>>>(d_M, d_N, d_P, Width);
    cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_M);
    cudaFree(d_N);
    cudaFree(d_P);
}
