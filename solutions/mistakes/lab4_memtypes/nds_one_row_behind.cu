// Finding: all-zero, race, tiles-overlap
// Nds begins one row behind Mds and not one tile: the tiles overlap.
// Says: both tiles lie partly in the same place
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// Elements of P that a thread computes, one below the other: a tile may then have more elements
// than a block has threads.
#define ROWS 16

// Ends the program where a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

// A block has tileWidth x tileWidth / ROWS threads and computes one tile of P.
__global__ void dynamicMatrixMulKernel(const float* M, const float* N, float* P, int Width) {
    int tileWidth = blockDim.x;
    extern __shared__ float MdsNds[];
    float* Mds = MdsNds;
    float* Nds = MdsNds + tileWidth;

    int tx = threadIdx.x;
    int firstRow = threadIdx.y * ROWS;  // in the tile
    int Col = blockIdx.x * tileWidth + tx;

    float Pvalue[ROWS] = {};
    for (int ph = 0; ph < (Width - 1) / tileWidth + 1; ++ph) {
        for (int i = 0; i < ROWS; ++i) {
            int r = firstRow + i;
            int Row = blockIdx.y * tileWidth + r;
            int ColOfM = ph * tileWidth + tx;
            int RowOfN = ph * tileWidth + r;
            bool insideM = Row < Width && ColOfM < Width;
            bool insideN = RowOfN < Width && Col < Width;
            Mds[r * tileWidth + tx] = insideM ? M[Row * Width + ColOfM] : 0.0f;
            Nds[r * tileWidth + tx] = insideN ? N[RowOfN * Width + Col] : 0.0f;
        }
        __syncthreads();

        for (int k = 0; k < tileWidth; ++k) {
            for (int i = 0; i < ROWS; ++i) {
                int r = firstRow + i;
                Pvalue[i] += Mds[r * tileWidth + k] * Nds[k * tileWidth + tx];
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < ROWS; ++i) {
        int Row = blockIdx.y * tileWidth + firstRow + i;
        if (Row < Width && Col < Width) {
            P[Row * Width + Col] = Pvalue[i];
        }
    }
}

static size_t bytesOfTiles(int tileWidth) {
    return 2 * static_cast<size_t>(tileWidth) * tileWidth * sizeof(float);
}

int chooseTileWidth(const cudaDeviceProp& device) {
    int tileWidth = ROWS;
    for (;;) {
        int next = tileWidth + ROWS;
        bool threadsFit = next * (next / ROWS) <= device.maxThreadsPerBlock;
        bool tilesFit = bytesOfTiles(next) <= device.sharedMemPerBlockOptin;
        if (!threadsFit || !tilesFit) return tileWidth;
        tileWidth = next;
    }
}

void matrixMulWithTile(const float* M, const float* N, float* P, int Width, int tileWidth) {
    size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytes));
    CHECK(cudaMalloc(&d_N, bytes));
    CHECK(cudaMalloc(&d_P, bytes));
    CHECK(cudaMemcpy(d_M, M, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice));

    size_t sharedBytes = bytesOfTiles(tileWidth);
    CHECK(cudaFuncSetAttribute(dynamicMatrixMulKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(sharedBytes)));

    int tiles = (Width - 1) / tileWidth + 1;
    dim3 dimGrid(tiles, tiles);
    dim3 dimBlock(tileWidth, tileWidth / ROWS);
    dynamicMatrixMulKernel<<<dimGrid, dimBlock, sharedBytes>>>(d_M, d_N, d_P, Width);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}

void dynamicMatrixMul(const float* M, const float* N, float* P, int Width) {
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    matrixMulWithTile(M, N, P, Width, chooseTileWidth(device));
}
