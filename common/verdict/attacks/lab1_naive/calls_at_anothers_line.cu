// Attack: to have a report show a line of another student's file as that of a caller.
// Remark: names a file of another place by #line
// Never: the_victims_own_word
#include <cuda_runtime.h>

__device__ void store(float* P) { P[-1] = 1; }

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
#line 1 "VICTIMS_FILE"
    store(P);
}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    matrixMulKernel<<<1, 1>>>(M, N, P, Width);
}
