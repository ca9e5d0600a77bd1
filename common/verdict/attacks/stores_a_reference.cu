// Tries: to store without being counted, as the constructor of a reference to an atomic.
// Gets: failed: out of bounds
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <new>

__global__ void matrixMulKernel(const float*, const float*, float* P, int Width) {
    new (&P[Width * Width + 1000]) cuda::atomic_ref<float>(P[0]);
}

void matrixMul(const float*, const float*, float*, int) {}
