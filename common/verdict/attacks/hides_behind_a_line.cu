// Tries: to pass off a hidden access as the system's, by #line.
// Gets: refused: names a file of another place by #line
#include <cuda_runtime.h>
#line 1 "/usr/include/stdio.h"
__attribute__((no_sanitize("thread"))) __global__ void matrixMulKernel(const float* M,
                                                                       const float* N, float* P,
                                                                       int Width) {}

void matrixMul(const float* M, const float* N, float* P, int Width) {}
