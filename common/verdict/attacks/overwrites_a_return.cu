// Tries: to return to another place, by an index of an array that the compiler does not check.
// Gets: failed: a function returns to
#include <cuda_runtime.h>

struct Tail {
    long count, of[1];
};

__global__ void matrixMulKernel(const float*, const float*, float* P, int Width) {
    Tail tail;
    for (int i = 0; i < 16 * Width; ++i) tail.of[i] = 0;
    P[threadIdx.x] = tail.of[0];
}

void matrixMul(const float*, const float*, float*, int) {}
