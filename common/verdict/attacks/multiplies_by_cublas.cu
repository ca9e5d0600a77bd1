// Tries: to have the BLAS multiply, as in a program that cusim compiles.
// Gets: uncompiled: blas_
#define CUSIM_PROGRAM
#include <cublas_v2.h>

__global__ void matrixMulKernel(const float*, const float*, float*, int) {}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    cublasHandle_t handle;
    cublasCreate(&handle);
    const float one = 1, zero = 0;
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, Width, Width, Width, &one, N, Width, M, Width,
                &zero, P, Width);
}
