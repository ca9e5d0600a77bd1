// Attack: to compute without end in a kernel.
// Remark: did not end by itself
#include <cuda_runtime.h>

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    for (volatile int i = 0;; i = i + 1) {
    }
}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    matrixMulKernel<<<1, 1>>>(M, N, P, Width);
    cudaDeviceSynchronize();
}
