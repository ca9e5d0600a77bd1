// Tries: to load without being counted, as elements of a constant array whose size is not known.
// Gets: failed: out of bounds
#include <cuda_runtime.h>

extern __attribute__((weak)) const float unseen[];

__global__ void matrixMulKernel(const float* M, const float*, float* P, int Width) {
    P[threadIdx.x] = unseen[M - unseen + Width * Width + 1000];
}

const float unseen[] = {0.0f};

void matrixMul(const float*, const float*, float*, int) {}
