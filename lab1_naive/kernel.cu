// Lab 1: naive matrix multiplication, P = M x N, all of them Width x Width.
// Each thread computes one element of P. The handout is README.md in this folder.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define BLOCK_WIDTH 16

// Ends the program if a call fails. Put each CUDA call into it:
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
    // TODO(1): compute the row and the column of this thread's element of P (Row and Col) from
    // blockIdx, blockDim and threadIdx. y counts rows, x counts columns.

    // TODO(2): a thread whose Row or Col lies outside P must neither load nor store.

    // TODO(3): compute the inner product of row Row of M and column Col of N. Sum it in a local
    // variable (Pvalue). Element (r, c) of a row-major matrix is at index r * Width + c.

    // TODO(4): store Pvalue in this thread's element of P.
}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    // TODO(5): allocate device memory for the three matrices: d_M, d_N, d_P.

    // TODO(6): copy M and N to the device.

    // TODO(7): launch matrixMulKernel, in the same way as matrix_add.cu launches its kernel. A
    // block has BLOCK_WIDTH x BLOCK_WIDTH threads. The grid has enough blocks to cover P, even if
    // Width is not a multiple of BLOCK_WIDTH.

    // TODO(8): check whether the launch succeeded. Call cudaGetLastError() right after it.

    // TODO(9): copy the result from the device into P.

    // TODO(10): free the device memory.
}
