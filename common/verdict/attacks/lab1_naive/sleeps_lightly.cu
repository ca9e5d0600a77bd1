// Attack: to sleep, and to wake so often that it seems busy, so that everybody waits.
// Remark: it was stopped when it had waited
#include <cuda_runtime.h>
#include <unistd.h>

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    for (int i = 0; i < 100000; ++i) {
        usleep(2000);
        cudaGetLastError();
    }
}
