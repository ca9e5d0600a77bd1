// Attack: to have an assertion's report show a line of another student's file.
// Remark: names a file of another place by #line
// Never: the_victims_own_word
#include <cuda_runtime.h>

#include <cassert>

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
#line 1 "VICTIMS_FILE"
    assert(Width < 0);
}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    matrixMulKernel<<<1, 1>>>(M, N, P, Width);
    cudaDeviceSynchronize();
}
