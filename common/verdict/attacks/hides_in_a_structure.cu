// Tries: to load without being counted, by a structure that is passed by value.
// Gets: failed: out of bounds
#include <cuda_runtime.h>

struct Element {
    float value;
};

__device__ float of(Element element) { return element.value; }

__global__ void matrixMulKernel(const float* M, const float*, float* P, int Width) {
    P[threadIdx.x] = of(reinterpret_cast<const Element*>(M)[Width * Width + 1000]);
}

void matrixMul(const float*, const float*, float*, int) {}
