// Tries: to keep a value from launch to launch, in a variable of the host's thread.
// Gets: uncompiled: a thread_local variable belongs to a thread of the host
#include <cuda_runtime.h>

__global__ void matrixMulKernel(const float*, const float*, float* P, int) {
    thread_local float kept = 0.0f;
    *P = kept++;
}

void matrixMul(const float*, const float*, float*, int) {}
