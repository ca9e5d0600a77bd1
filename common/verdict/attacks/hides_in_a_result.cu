// Tries: to store without being counted, by a structure that a function returns.
// Gets: failed: out of bounds
#include <cuda_runtime.h>

struct Element {
    float value;
};

__device__ Element zero() { return {0.0f}; }

__global__ void matrixMulKernel(const float* M, const float*, float* P, int Width) {
    reinterpret_cast<Element*>(P)[Width * Width + 1000] = zero();
}

void matrixMul(const float*, const float*, float*, int) {}
