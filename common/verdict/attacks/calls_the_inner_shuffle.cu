// Tries: to load without being counted, as the value of a lane that no warp has.
// Gets: failed: mask leaves it out
#include <cuda_runtime.h>

#include "inner.h"

__global__ void matrixMulKernel(const float*, const float*, float* P, int Width) {
    P[threadIdx.x] = INNER::shuffle(1, 1.0f, Width * 100000, INNER::Where::here());
}

void matrixMul(const float*, const float*, float*, int) {}
