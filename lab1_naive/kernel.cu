// Lab 1: naive matrix multiplication, P = M x N, all of them Width x Width.
// One thread computes one element of P. The handout is README.md in this folder.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define BLOCK_WIDTH 16

// Ends the program where a call fails. Put every CUDA call into it:
//   CHECK(cudaMalloc(&d_M, bytes));
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    // TODO(1): the row and the column of P that this thread computes, from blockIdx, blockDim
    // and threadIdx: y counts rows, x counts columns.

    // TODO(2): a thread whose row or column lies outside P must do nothing.

    // TODO(3): the inner product of row Row of M and column Col of N, summed in a local variable
    // (Pvalue). Element (r, c) of a row-major matrix is at r * Width + c.

    // TODO(4): store Pvalue into this thread's element of P.
}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    // TODO(5): allocate device memory for the three matrices: d_M, d_N, d_P.

    // TODO(6): copy M and N to the device.

    // TODO(7): launch matrixMulKernel, as matrix_add.cu launches its kernel, with BLOCK_WIDTH x
    // BLOCK_WIDTH threads a block, and enough blocks to cover P, also where BLOCK_WIDTH does not
    // divide Width.

    // TODO(8): ask whether the launch succeeded: cudaGetLastError() right after it.

    // TODO(9): copy the result back into P.

    // TODO(10): free the device memory.
}
