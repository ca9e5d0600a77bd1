// Attack: to have a report show a line of the solution, by #line.
// Remark: names a file of another place by #line
// Never: float Pvalue|Row < Width
#include <cuda_runtime.h>

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
#line 24 "COURSE_ROOT/solutions/lab1_naive/kernel.cu"
    P[-1] = 1;
}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    matrixMulKernel<<<1, 1>>>(M, N, P, Width);
}
