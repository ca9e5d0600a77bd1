// Tries: to read what belongs to the host's thread, the simulator's worker among it.
// Gets: refused: '__builtin_thread_pointer' takes code out
#include <cuda_runtime.h>

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    P[0] = *((float*)__builtin_thread_pointer() - 16);
}

void matrixMul(const float* M, const float* N, float* P, int Width) {}
