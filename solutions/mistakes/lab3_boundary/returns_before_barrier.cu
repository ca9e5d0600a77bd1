// Finding: barrier-divergence, unset-read
// Says: read: lab3_boundary/README.md, section 'Barriers'
// Threads without an element of P leave at once. Those that stay miss what they should have loaded.
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

__global__ void boundedMatrixMulKernel(const float* M, const float* N, float* P, int j, int k,
                                       int l) {
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;

    if (Row >= j || Col >= l) {
        return;
    }
    int phases = (k - 1) / TILE_WIDTH + 1;
    float Pvalue = 0.0f;
    for (int ph = 0; ph < phases; ++ph) {
        if (Row < j && ph * TILE_WIDTH + tx < k) {
            Mds[ty][tx] = M[Row * k + ph * TILE_WIDTH + tx];
        } else {
            Mds[ty][tx] = 0.0f;
        }
        if (ph * TILE_WIDTH + ty < k && Col < l) {
            Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * l + Col];
        } else {
            Nds[ty][tx] = 0.0f;
        }
        __syncthreads();

        for (int i = 0; i < TILE_WIDTH; ++i) {
            Pvalue += Mds[ty][i] * Nds[i][tx];
        }
        __syncthreads();
    }

    if (Row < j && Col < l) {
        P[Row * l + Col] = Pvalue;
    }
}

void boundedMatrixMul(const float* M, const float* N, float* P, int j, int k, int l) {
    size_t bytesM = static_cast<size_t>(j) * k * sizeof(float);
    size_t bytesN = static_cast<size_t>(k) * l * sizeof(float);
    size_t bytesP = static_cast<size_t>(j) * l * sizeof(float);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytesM));
    CHECK(cudaMalloc(&d_N, bytesN));
    CHECK(cudaMalloc(&d_P, bytesP));
    CHECK(cudaMemcpy(d_M, M, bytesM, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_N, N, bytesN, cudaMemcpyHostToDevice));

    dim3 dimGrid((l - 1) / TILE_WIDTH + 1, (j - 1) / TILE_WIDTH + 1);
    dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
    boundedMatrixMulKernel<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, j, k, l);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(P, d_P, bytesP, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}
