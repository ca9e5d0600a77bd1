// A right host side of the matrix addition, and a kernel that stores zeros.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// Ends the program where a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

__global__ void matrixAddKernel(const float* A, const float* B, float* C, int rows, int cols) {
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    if (Row < rows && Col < cols) {
        C[Row * cols + Col] = 0.0f;
    }
}

void matrixAdd(const float* A, const float* B, float* C, int rows, int cols) {
    size_t bytes = static_cast<size_t>(rows) * cols * sizeof(float);
    float *d_A, *d_B, *d_C;
    CHECK(cudaMalloc(&d_A, bytes));
    CHECK(cudaMalloc(&d_B, bytes));
    CHECK(cudaMalloc(&d_C, bytes));
    CHECK(cudaMemcpy(d_A, A, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_B, B, bytes, cudaMemcpyHostToDevice));

    // Wide in x, where neighbouring floats lie: a warp covers two pieces of 64 bytes, four sectors.
    dim3 dimBlock(16, 4);
    dim3 dimGrid((cols + dimBlock.x - 1) / dimBlock.x, (rows + dimBlock.y - 1) / dimBlock.y);
    matrixAddKernel<<<dimGrid, dimBlock>>>(d_A, d_B, d_C, rows, cols);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(C, d_C, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    CHECK(cudaFree(d_C));
}
