// Attack: to compute the product on the host, without a kernel.
// Remark: no kernel has stored
#include <cuda_runtime.h>

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    for (int row = 0; row < Width; ++row)
        for (int col = 0; col < Width; ++col) {
            float sum = 0.0f;
            for (int k = 0; k < Width; ++k) sum += M[row * Width + k] * N[k * Width + col];
            P[row * Width + col] = sum;
        }
}
