// Tries: to store without being counted, as a structure that comes back by an address.
// Gets: refused: 'packed'
#include <cuda_runtime.h>
#include <new>

struct __attribute__((packed)) Packed {
    char first;
    int second;
};

__global__ void matrixMulKernel(const float*, const float*, float* P, int Width) {
    new (&P[Width * Width + 1000]) Packed(__shfl_sync(~0u, Packed{0, 1}, 0));
}

void matrixMul(const float*, const float*, float*, int) {}
