// Tries: to pass off a hidden access as the system's, as if a header of a macro's name began here.
// Gets: refused: names a file of another place by #line
#include <cuda_runtime.h>
#define HEADER "/usr/include/stdio.h"
# 1 HEADER 1 3
__attribute__((no_sanitize("thread"))) static float unheard(const float* at) { return *at; }

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    P[0] = unheard(M);
}

void matrixMul(const float* M, const float* N, float* P, int Width) {}
