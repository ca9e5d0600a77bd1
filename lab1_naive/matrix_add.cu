// Lab 1, warm-up: matrix addition, C = A + B, all of them rows x cols and row-major.
// Each thread computes one element of C. The handout is matrix_add/README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// Ends the program if a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

__global__ void matrixAddKernel(const float* A, const float* B, float* C, int rows, int cols) {
    // TODO(1): compute the row and the column of this thread's element of C (Row and Col) from
    // blockIdx, blockDim and threadIdx. y counts rows, x counts columns.

    // TODO(2): a thread whose Row or Col lies outside C must do nothing.

    // TODO(3): add this thread's elements of A and B, and store the sum in C. Element (r, c) of a
    // row-major matrix is at index r * cols + c.
}

void matrixAdd(const float* A, const float* B, float* C, int rows, int cols) {
    size_t bytes = static_cast<size_t>(rows) * cols * sizeof(float);
    float *d_A, *d_B, *d_C;
    CHECK(cudaMalloc(&d_A, bytes));
    CHECK(cudaMalloc(&d_B, bytes));
    CHECK(cudaMalloc(&d_C, bytes));
    CHECK(cudaMemcpy(d_A, A, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_B, B, bytes, cudaMemcpyHostToDevice));

    // TODO(4): choose the block's shape, x by y, with 64 threads in all. A warp is 32 threads,
    // counted along x first, then along y. In which shape does it load floats side by side?
    dim3 dimBlock(1, 1);

    // TODO(5): choose the number of blocks in x and in y. They must cover C, for any rows and cols.
    dim3 dimGrid(1, 1);

    matrixAddKernel<<<dimGrid, dimBlock>>>(d_A, d_B, d_C, rows, cols);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(C, d_C, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    CHECK(cudaFree(d_C));
}
