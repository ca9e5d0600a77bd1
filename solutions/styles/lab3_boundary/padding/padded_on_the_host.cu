// Padded on the host, copied as one piece.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

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

// The tiled kernel of lab 2, for whole tiles only: M is J x K, N is K x L, P is J x L, and
// TILE_WIDTH divides all three.
__global__ void wholeTilesKernel(const float* M, const float* N, float* P, int K, int L) {
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_WIDTH + ty;
    int Col = blockIdx.x * TILE_WIDTH + tx;

    float Pvalue = 0.0f;
    for (int ph = 0; ph < K / TILE_WIDTH; ++ph) {
        Mds[ty][tx] = M[Row * K + ph * TILE_WIDTH + tx];
        Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * L + Col];
        __syncthreads();

        for (int i = 0; i < TILE_WIDTH; ++i) {
            Pvalue += Mds[ty][i] * Nds[i][tx];
        }
        __syncthreads();
    }
    P[Row * L + Col] = Pvalue;
}

static int wholeTiles(int n) { return (n + TILE_WIDTH - 1) / TILE_WIDTH * TILE_WIDTH; }

static std::vector<float> padded(const float* from, int rows, int cols) {
    const int wide = wholeTiles(cols);
    std::vector<float> result(static_cast<size_t>(wholeTiles(rows)) * wide);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) result[r * wide + c] = from[r * cols + c];
    return result;
}

void boundedMatrixMulPadded(const float* M, const float* N, float* P, int j, int k, int l) {
    int J = wholeTiles(j), K = wholeTiles(k), L = wholeTiles(l);
    const std::vector<float> paddedM = padded(M, j, k), paddedN = padded(N, k, l);
    std::vector<float> paddedP(static_cast<size_t>(J) * L);

    size_t bytesM = static_cast<size_t>(J) * K * sizeof(float);
    size_t bytesN = static_cast<size_t>(K) * L * sizeof(float);
    size_t bytesP = static_cast<size_t>(J) * L * sizeof(float);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytesM));
    CHECK(cudaMalloc(&d_N, bytesN));
    CHECK(cudaMalloc(&d_P, bytesP));

    CHECK(cudaMemcpy(d_M, paddedM.data(), bytesM, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_N, paddedN.data(), bytesN, cudaMemcpyHostToDevice));

    dim3 dimGrid(L / TILE_WIDTH, J / TILE_WIDTH);
    dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
    wholeTilesKernel<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, K, L);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(paddedP.data(), d_P, bytesP, cudaMemcpyDeviceToHost));
    for (int r = 0; r < j; ++r)
        for (int c = 0; c < l; ++c) P[r * l + c] = paddedP[r * L + c];
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}
