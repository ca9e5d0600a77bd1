// Tries: to load without being counted, from addresses that lie in a vector.
// Gets: refused: v.* is no instruction of every x86-64
#include <cuda_runtime.h>

typedef float Floats __attribute__((vector_size(16)));
typedef int Ints __attribute__((vector_size(16)));

__attribute__((target("avx2"))) __global__ void matrixMulKernel(const float* M, const float*,
                                                                float* P, int) {
    const Floats one{1, 1, 1, 1};
    P[threadIdx.x] = __builtin_ia32_gathersiv4sf(one, M, Ints{0, 1, 2, 3}, one, 4)[0];
}

void matrixMul(const float*, const float*, float*, int) {}
