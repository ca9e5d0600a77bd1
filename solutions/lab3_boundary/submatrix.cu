// Lab 3, going further: parts of larger matrices, and storage by columns, as in the BLAS.
// M is j x k, N is k x l, P = M x N is j x l.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#ifndef TILE_WIDTH
#define TILE_WIDTH 16
#endif

// Ends the program where a call fails.
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
        if (Row < j && ph * TILE_WIDTH + tx < k) {
            Mds[ty][tx] = M[Row * ldm + ph * TILE_WIDTH + tx];
        }
        if (ph * TILE_WIDTH + ty < k && Col < l) {
            Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * ldn + Col];
        }
        __syncthreads();

        for (int i = 0; i < TILE_WIDTH; ++i) {
            Pvalue += Mds[ty][i] * Nds[i][tx];
        }
        __syncthreads();
    }
    if (Row < j && Col < l) {
        P[Row * ldp + Col] = Pvalue;
    }
}

// Bytes from the first element to the last: after the last row's end there may be nothing.
static size_t spanOf(int rows, int cols, int ld) {
    return (static_cast<size_t>(rows - 1) * ld + cols) * sizeof(float);
}

// P = M x N for parts of larger matrices: a row begins ldm, ldn or ldp elements after the one
// before.
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
    // What lies between the rows of P comes back as it was.
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

// The same, stored column by column as in the BLAS: element (r, c) of M is at M[r + c * ldm].
void columnMajorMatrixMul(const float* M, int ldm, const float* N, int ldn, float* P, int ldp,
                          int j, int k, int l) {
    // Read row by row, a matrix stored by columns is its transpose: P^T = N^T x M^T.
    subMatrixMul(N, ldn, M, ldm, P, ldp, l, k, j);
}
