// Tries: to pass off a hidden access as the system's, as if a header began here.
// Gets: refused: names a file of another place by #line
#include <cuda_runtime.h>
/* A preprocessor leaves such marks. */ # 1 "/usr/include/stdio.h" 1 3
__attribute__((no_sanitize("thread"))) __global__ void matrixMulKernel(const float*, const float*,
                                                                       float*, int) {}
# 9 "kernel.cu" 2

void matrixMul(const float*, const float*, float*, int) {}
