#include "kernels_trace.h"

#include <cuda_runtime.h>

namespace traced {
namespace {

__global__ void reverse(const float* x, float* y) {
    __shared__ float s[4];
    int first = blockIdx.x * 4;
    s[threadIdx.x] = x[first + threadIdx.x];      // trace-in
    __syncthreads();                              // trace-barrier
    y[first + threadIdx.x] = s[3 - threadIdx.x];  // trace-out
}

__global__ void increment(int* counter) { atomicAdd(counter, 1); }

}  // namespace

void reverseManyBlocks(int blocks) {
    float *d_x, *d_y;
    size_t bytes = static_cast<size_t>(blocks) * 4 * sizeof(float);
    cudaMalloc(&d_x, bytes);
    cudaMalloc(&d_y, bytes);
    cudaMemset(d_x, 0, bytes);
    reverse<<<blocks, 4>>>(d_x, d_y);
    cudaFree(d_x);
    cudaFree(d_y);
}

void reverseBlocks() { reverseManyBlocks(2); }

void countUp() {
    int* d_counter;
    cudaMalloc(&d_counter, sizeof(int));
    cudaMemset(d_counter, 0, sizeof(int));
    increment<<<1, 2>>>(d_counter);
    cudaFree(d_counter);
}

}  // namespace traced
