// Tries: to go on after the end of a function, and to return where its variables say.
// Gets: failed: an address outside of all memory
#include <cuda_runtime.h>

__device__ void reached() { __trap(); }

__device__ void behind() {}

__device__ void falls() {
    void (*volatile returns[64])();
    for (auto& one : returns) one = reached;
    behind();
    __builtin_unreachable();
}

__device__ void next() {}

__global__ void matrixMulKernel(const float*, const float*, float*, int) {
    falls();
    next();
}

void matrixMul(const float*, const float*, float*, int) {}
