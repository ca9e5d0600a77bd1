// Attack: to sleep in each call of a test, so that everybody waits.
// Remark: stopped when it had waited
#include <cuda_runtime.h>
#include <unistd.h>

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {}

void matrixMul(const float* M, const float* N, float* P, int Width) { sleep(300); }
