// Tries: to store without being counted, by an instruction with a mask.
// Gets: refused: maskmovdqu accesses memory unheard
#include <cuda_runtime.h>

typedef char Bytes __attribute__((vector_size(16)));

__global__ void matrixMulKernel(const float* M, const float*, float* P, int Width) {
    __builtin_ia32_maskmovdqu(Bytes{}, ~Bytes{}, reinterpret_cast<char*>(P + Width * Width));
}

void matrixMul(const float*, const float*, float*, int) {}
