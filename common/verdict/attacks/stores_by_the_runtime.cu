// Tries: to store by a function of the runtime, which the host alone has.
// Gets: refused: kernel code calls cudaGetDeviceCount.*a function of the host
#include <cuda_runtime.h>

__global__ void matrixMulKernel(const float*, const float*, float* P, int) {
    cudaGetDeviceCount(reinterpret_cast<int*>(P));
}

void matrixMul(const float*, const float*, float*, int) {}
