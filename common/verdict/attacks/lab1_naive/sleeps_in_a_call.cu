// Attack: to sleep in a call of a large matrix, so that everybody waits.
// Remark: stopped when it had waited
#include <cuda_runtime.h>
#include <unistd.h>

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    if (Width > 64) sleep(300);
}
