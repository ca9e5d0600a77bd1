// The inner product is a function of its own, and blocks are 32 x 8.
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

__device__ inline float innerProduct(const float* row, const float* column, int Width) {
    float Pvalue = 0.0f;
    for (int k = 0; k < Width; ++k) Pvalue += row[k] * column[k * Width];
    return Pvalue;
}

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    const int Row = blockIdx.y * blockDim.y + threadIdx.y;
    const int Col = blockIdx.x * blockDim.x + threadIdx.x;
    const bool inside = Row < Width && Col < Width;
    if (inside) P[Row * Width + Col] = innerProduct(&M[Row * Width], &N[Col], Width);
}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytes));
    CHECK(cudaMalloc(&d_N, bytes));
    CHECK(cudaMalloc(&d_P, bytes));

    CHECK(cudaMemcpy(d_M, M, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice));

    matrixMulKernel<<<dim3((Width - 1) / 32 + 1, (Width - 1) / 8 + 1), dim3(32, 8)>>>(d_M, d_N, d_P,
                                                                                      Width);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));

    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}
