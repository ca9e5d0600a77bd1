// Tries: to load what nobody counts, as the value of a lane that no warp has.
// Gets: failed: mask leaves it out
#include <cuda_runtime.h>

__global__ void matrixMulKernel(const float*, const float*, float* P, int Width) {
    P[threadIdx.x] = cusim::shuffle(1, 1.0f, Width * 100000, cusim::Where::here());
}

void matrixMul(const float*, const float*, float*, int) {}
