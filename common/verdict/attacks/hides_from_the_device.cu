// Tries: to have accesses go unseen, by an attribute in a macro.
// Gets: refused: 'no_sanitize' takes code out
#include <cuda_runtime.h>

#define UNSEEN __attribute__((no_sanitize("thread")))

UNSEEN __global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {}

void matrixMul(const float* M, const float* N, float* P, int Width) {}
