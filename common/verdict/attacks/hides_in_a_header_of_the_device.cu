// Tries: to have accesses taken for those of the simulated device's own headers.
// Gets: refused: names a file of another place by #line
#include <cuda_runtime.h>

struct Element {
    float value;
};
#line 1 "common/simulator/include/cusim/atomics.h"
__device__ float of(const Element* all) {
    Element (*const copied)(Element) = [](Element element) { return element; };
    return copied(*all).value;
}

__global__ void matrixMulKernel(const float* M, const float*, float* P, int Width) {
    P[threadIdx.x] = of(reinterpret_cast<const Element*>(M) + Width * Width + 1000);
}

void matrixMul(const float*, const float*, float*, int) {}
