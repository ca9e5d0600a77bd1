// Tries: to load without being counted, by instructions of another processor.
// Gets: refused: v.* is no instruction of every x86-64
#include <cuda_runtime.h>

typedef float Floats __attribute__((vector_size(16)));
typedef int Mask __attribute__((vector_size(16)));

__attribute__((target("avx"))) __global__ void matrixMulKernel(const float* M, const float*,
                                                               float* P, int Width) {
    const auto* from = reinterpret_cast<const Floats*>(M + Width * Width);
    P[threadIdx.x] = __builtin_ia32_maskloadps(from, Mask{-1, 0, 0, 0})[0];
}

void matrixMul(const float*, const float*, float*, int) {}
