// Tries: to be counted for loads that it does not make.
// Gets: refused: '__tsan_read4' takes code out
#include <cuda_runtime.h>

extern "C" __device__ void __tsan_read4(void* address);

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    for (int i = 0; i < Width; ++i) __tsan_read4(const_cast<float*>(M + i));
}

void matrixMul(const float* M, const float* N, float* P, int Width) {}
