// Lab 4: constant memory. P = M x N, with a small M and a long N. All threads read M, which is in
// constant memory. Constant memory holds 65,536 bytes and is cached. It serves one address per warp
// at a time: threads that read the same address share one pass. M is j x k, N is k x l, P is j x l,
// all of them row-major. The handout is constant/README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// Constant memory holds this many floats.
#define CONSTANT_FLOATS 16384

// Ends the program if a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

// TODO(1): declare Mc in constant memory.
__device__ float Mc[CONSTANT_FLOATS];

// A demonstration, which you need not change: each group of neighbouring threads reads one element.
__global__ void groupsKernel(float* out, int threadsPerGroup) {
    out[threadIdx.x] = Mc[threadIdx.x / threadsPerGroup];
}

// Computes `rows` rows of P from the same rows of M, which are in Mc. The first one is row firstRow
// of M and of P.
__global__ void constantMatrixMulKernel(const float* N, float* P, int firstRow, int rows, int k,
                                        int l) {
    // TODO(2): here the threads of a warp read 32 rows of Mc, one after the other. Change Row and
    // Col. Which of them must be the same for all threads of a warp?
    int Row = blockIdx.x * blockDim.x + threadIdx.x;
    int Col = blockIdx.y * blockDim.y + threadIdx.y;
    if (Row < rows && Col < l) {
        float Pvalue = 0.0f;
        for (int i = 0; i < k; ++i) {
            Pvalue += Mc[Row * k + i] * N[i * l + Col];
        }
        P[(firstRow + Row) * l + Col] = Pvalue;
    }
}

// --- The host side. ---

// A row of M fits into constant memory: k is at most CONSTANT_FLOATS.
void constantMatrixMul(const float* M, const float* N, float* P, int j, int k, int l) {
    size_t bytesN = static_cast<size_t>(k) * l * sizeof(float);
    size_t bytesP = static_cast<size_t>(j) * l * sizeof(float);
    float *d_N, *d_P;
    CHECK(cudaMalloc(&d_N, bytesN));
    CHECK(cudaMalloc(&d_P, bytesP));
    CHECK(cudaMemcpy(d_N, N, bytesN, cudaMemcpyHostToDevice));

    dim3 dimBlock(32, 8);
    // TODO(3): how many whole rows of M fit into constant memory? A row has k elements.
    int rowsPerPiece = j;
    for (int firstRow = 0; firstRow < j; firstRow += rowsPerPiece) {
        int rows = min(rowsPerPiece, j - firstRow);
        // TODO(4): copy these rows of M into Mc.

        // TODO(2), too: x and y of the grid must fit those of the block.
        dim3 dimGrid((rows + dimBlock.x - 1) / dimBlock.x, (l + dimBlock.y - 1) / dimBlock.y);
        constantMatrixMulKernel<<<dimGrid, dimBlock>>>(d_N, d_P, firstRow, rows, k, l);
        CHECK(cudaGetLastError());
    }

    CHECK(cudaMemcpy(P, d_P, bytesP, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}

// Calls the demonstration, and is complete. M and out have 32 elements.
void readInGroups(const float* M, float* out, int threadsPerGroup) {
    float* d_out;
    CHECK(cudaMemcpyToSymbol(Mc, M, 32 * sizeof(float)));
    CHECK(cudaMalloc(&d_out, 32 * sizeof(float)));
    groupsKernel<<<1, 32>>>(d_out, threadsPerGroup);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, d_out, 32 * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_out));
}
