// Attack: to compute the product on the host, behind a kernel that does nothing.
// Remark: multiplies elements on the host
// Base: common/verdict/attacks/bases/idle_kernel.cu
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

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytes));
    CHECK(cudaMalloc(&d_N, bytes));
    CHECK(cudaMalloc(&d_P, bytes));

    CHECK(cudaMemcpy(d_M, M, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice));

    int blocks = (Width + BLOCK_WIDTH - 1) / BLOCK_WIDTH;
    dim3 dimGrid(blocks, blocks);
    dim3 dimBlock(BLOCK_WIDTH, BLOCK_WIDTH);
    matrixMulKernel<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));

    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));

    for (int row = 0; row < Width; ++row)
        for (int col = 0; col < Width; ++col) {
            float sum = 0.0f;
            for (int k = 0; k < Width; ++k) sum += M[row * Width + k] * N[k * Width + col];
            P[row * Width + col] = sum;
        }
}
