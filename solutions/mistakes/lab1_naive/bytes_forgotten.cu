// Finding: out-of-bounds
// Sizes are in bytes, not in elements: the allocations are a quarter of what they should be.
// Says: Is sizeof(float) missing where d_N is allocated?
// Says: read: lab1_naive/README.md, section 'The host side', step 5
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define BLOCK_WIDTH 16

// Ends the program where a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    // TODO(1): the row and the column of P that this thread computes.
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO(2): a thread whose row or column lies outside P must do nothing.
    if (Row < Width && Col < Width) {
        // TODO(3): the inner product of row Row of M and column Col of N.
        float Pvalue = 0.0f;
        for (int k = 0; k < Width; ++k) {
            Pvalue += M[Row * Width + k] * N[k * Width + Col];
        }
        // TODO(4): store Pvalue into this thread's element of P.
        P[Row * Width + Col] = Pvalue;
    }
}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    // TODO(5): allocate device memory for the three matrices: d_M, d_N, d_P.
    size_t bytes = static_cast<size_t>(Width) * Width;
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytes));
    CHECK(cudaMalloc(&d_N, bytes));
    CHECK(cudaMalloc(&d_P, bytes));

    // TODO(6): copy M and N to the device.
    CHECK(cudaMemcpy(d_M, M, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice));

    // TODO(7): launch matrixMulKernel.
    int blocks = (Width + BLOCK_WIDTH - 1) / BLOCK_WIDTH;
    dim3 dimGrid(blocks, blocks);
    dim3 dimBlock(BLOCK_WIDTH, BLOCK_WIDTH);
    matrixMulKernel<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width);
    // TODO(8): ask whether the launch succeeded.
    CHECK(cudaGetLastError());

    // TODO(9): copy the result back into P.
    CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));

    // TODO(10): free the device memory.
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}
