// Lab 3, going further: parts of larger matrices, and storage by columns as in the BLAS.
// M is j x k, N is k x l, P = M x N is j x l. The handout is submatrix/README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// `make test TILE_WIDTH=32` sets another width.
#ifndef TILE_WIDTH
#define TILE_WIDTH 16
#endif

// Ends the program if a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

__global__ void subMatrixMulKernel(const float* M, int ldm, const float* N, int ldn, float* P,
                                   int ldp, int j, int k, int l) {
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_WIDTH + ty;
    int Col = blockIdx.x * TILE_WIDTH + tx;

    float Pvalue = 0.0f;
    for (int ph = 0; ph < (k - 1) / TILE_WIDTH + 1; ++ph) {
        Mds[ty][tx] = 0.0f;
        Nds[ty][tx] = 0.0f;
        // TODO(1): load the element of M as in kernel.cu. But here a row of M begins ldm elements
        // after the previous row. Only the first k of these elements belong to the part.

        // TODO(2): load the element of N. A row of N begins ldn elements after the previous row.

        __syncthreads();

        for (int i = 0; i < TILE_WIDTH; ++i) {
            Pvalue += Mds[ty][i] * Nds[i][tx];
        }
        __syncthreads();
    }
    // TODO(3): store Pvalue in P, but only in elements of the part. The leading dimension is ldp.
}

// Returns the bytes from the first element to the last. Memory may end with the last element.
static size_t spanOf(int rows, int cols, int ld) {
    return (static_cast<size_t>(rows - 1) * ld + cols) * sizeof(float);
}

// Computes P = M x N for parts of larger matrices: a row begins ldm, ldn or ldp elements after the
// previous row.
void subMatrixMul(const float* M, int ldm, const float* N, int ldn, float* P, int ldp, int j, int k,
                  int l) {
    size_t bytesM = spanOf(j, k, ldm);
    size_t bytesN = spanOf(k, l, ldn);
    size_t bytesP = spanOf(j, l, ldp);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytesM));
    CHECK(cudaMalloc(&d_N, bytesN));
    CHECK(cudaMalloc(&d_P, bytesP));
    CHECK(cudaMemcpy(d_M, M, bytesM, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_N, N, bytesN, cudaMemcpyHostToDevice));
    // The elements between the rows of P must come back unchanged.
    CHECK(cudaMemcpy(d_P, P, bytesP, cudaMemcpyHostToDevice));

    dim3 dimGrid((l - 1) / TILE_WIDTH + 1, (j - 1) / TILE_WIDTH + 1);
    dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
    subMatrixMulKernel<<<dimGrid, dimBlock>>>(d_M, ldm, d_N, ldn, d_P, ldp, j, k, l);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(P, d_P, bytesP, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}

// Does the same for storage by columns as in the BLAS: element (r, c) of M is at M[r + c * ldm].
void columnMajorMatrixMul(const float* M, int ldm, const float* N, int ldn, float* P, int ldp,
                          int j, int k, int l) {
    // TODO(4): call subMatrixMul once. What are M, N and P if they are read row by row?
}
