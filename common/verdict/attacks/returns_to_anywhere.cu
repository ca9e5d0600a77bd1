// Tries: to return to a place of its own choice.
// Gets: refused: .*__builtin_eh_return
#include <cuda_runtime.h>

__global__ void matrixMulKernel(const float*, const float*, float* P, int) {
    __builtin_eh_return(0, P);
}

void matrixMul(const float*, const float*, float*, int) {}
