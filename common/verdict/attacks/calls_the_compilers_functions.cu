// Tries: to store where no hook hears it, by a function that the compiler calls for itself.
// Gets: refused: '__cxa_guard_abort' takes code out
#include <cuda_runtime.h>

extern "C" __device__ void __cxa_guard_abort(long long* anywhere);

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    __cxa_guard_abort((long long*)P);
}

void matrixMul(const float* M, const float* N, float* P, int Width) {}
