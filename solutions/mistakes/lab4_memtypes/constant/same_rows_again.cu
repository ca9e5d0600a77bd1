// Finding: wrong
// Every piece is copied from the first rows of M.
// Says: This test waits for TODO(4): begin there.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// All the floats that constant memory holds.
#define CONSTANT_FLOATS 16384

// Ends the program where a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

__constant__ float Mc[CONSTANT_FLOATS];

// A demonstration, for reading only: groups of neighbouring threads read one element each.
__global__ void groupsKernel(float* out, int threadsPerGroup) {
    out[threadIdx.x] = Mc[threadIdx.x / threadsPerGroup];
}

// Computes `rows` rows of P from as many rows of M, which lie in Mc; the first is row firstRow of
// M and of P.
__global__ void constantMatrixMulKernel(const float* N, float* P, int firstRow, int rows, int k,
                                        int l) {
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    if (Row < rows && Col < l) {
        float Pvalue = 0.0f;
        for (int i = 0; i < k; ++i) {
            Pvalue += Mc[Row * k + i] * N[i * l + Col];
        }
        P[(firstRow + Row) * l + Col] = Pvalue;
    }
}

// --- The host side. ---

// A row of M fits constant memory: k is at most CONSTANT_FLOATS.
void constantMatrixMul(const float* M, const float* N, float* P, int j, int k, int l) {
    size_t bytesN = static_cast<size_t>(k) * l * sizeof(float);
    size_t bytesP = static_cast<size_t>(j) * l * sizeof(float);
    float *d_N, *d_P;
    CHECK(cudaMalloc(&d_N, bytesN));
    CHECK(cudaMalloc(&d_P, bytesP));
    CHECK(cudaMemcpy(d_N, N, bytesN, cudaMemcpyHostToDevice));

    dim3 dimBlock(32, 8);
    int rowsPerPiece = CONSTANT_FLOATS / k;
    for (int firstRow = 0; firstRow < j; firstRow += rowsPerPiece) {
        int rows = min(rowsPerPiece, j - firstRow);
        CHECK(cudaMemcpyToSymbol(Mc, M, rows * k * sizeof(float)));
        dim3 dimGrid((l + dimBlock.x - 1) / dimBlock.x, (rows + dimBlock.y - 1) / dimBlock.y);
        constantMatrixMulKernel<<<dimGrid, dimBlock>>>(d_N, d_P, firstRow, rows, k, l);
        CHECK(cudaGetLastError());
    }

    CHECK(cudaMemcpy(P, d_P, bytesP, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}

// For the demonstration, complete: M and out have 32 elements.
void readInGroups(const float* M, float* out, int threadsPerGroup) {
    float* d_out;
    CHECK(cudaMemcpyToSymbol(Mc, M, 32 * sizeof(float)));
    CHECK(cudaMalloc(&d_out, 32 * sizeof(float)));
    groupsKernel<<<1, 32>>>(d_out, threadsPerGroup);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, d_out, 32 * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_out));
}
