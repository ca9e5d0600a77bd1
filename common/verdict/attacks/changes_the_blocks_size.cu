// Tries: to change what a barrier and the other threads go by.
// Gets: failed: out of bounds
#include <cuda_runtime.h>

__global__ void matrixMulKernel(const float*, const float*, float*, int) {
    const_cast<unsigned&>(blockDim.x) = 1;
}

void matrixMul(const float*, const float*, float*, int) {}
