// Attack: to read another student's file in the text of an assertion.
// Remark: opens files
// Never: the_victims_own_word
#include <cuda_runtime.h>

#include <cassert>
#include <fstream>
#include <iterator>
#include <string>

static char text[1000];
static const bool got = bool(std::ifstream("VICTIMS_FILE").read(text, 900));
static const bool got = bool(std::ifstream("VICTIMS_FILE").read(text, 900));

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    __assert_fail(text, "kernel.cu", 1, "kernel");
}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    matrixMulKernel<<<1, 1>>>(M, N, P, Width);
    cudaDeviceSynchronize();
}
