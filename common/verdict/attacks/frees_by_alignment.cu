// Tries: to have the host's heap free what a kernel wrote, by a delete that the device has not.
// Gets: refused: a function of the host
#include <cuda_runtime.h>

#include <new>

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    operator delete((void*)(P + 4), std::align_val_t(16));
}

void matrixMul(const float* M, const float* N, float* P, int Width) {}
