// Tries: to store over its own return, by an instruction that stores more than it says.
// Gets: refused: .*fxsave
#include <cuda_runtime.h>

__global__ void matrixMulKernel(const float*, const float*, float*, int) {
    alignas(16) char state[64];
    __builtin_ia32_fxsave(state);
}

void matrixMul(const float*, const float*, float*, int) {}
