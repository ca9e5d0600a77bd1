// Lab 4: tiled matrix multiplication with tiles as large as the device allows, P = M x N, all of
// them Width x Width. Both tiles lie in one shared array whose size the launch sets. Begin with the
// launch, in matrixMulWithTile. The handout is README.md in this folder.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// A thread computes this many elements of P, one below the other. So a tile can have more elements
// than a block has threads.
#define ROWS 16

// Ends the program if a call fails.
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

    // TODO(2): declare one array for both tiles, extern __shared__ float MdsNds[]. The launch sets
    // its size. Mds points to its beginning, Nds to the first element after the tile of M.

    int tx = threadIdx.x;
    int firstRow = threadIdx.y * ROWS;  // of this thread, in the tile
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

            // TODO(3): load one element of M and one of N into row r and column tx of the tiles.
            // If an element is outside, store 0.0f instead. A row of a tile has tileWidth floats.
        }
        __syncthreads();

        for (int k = 0; k < tileWidth; ++k) {
            for (int i = 0; i < ROWS; ++i) {
                // TODO(4): add one product to Pvalue[i], of row firstRow + i of Mds and column tx
                // of Nds.
            }
        }
        __syncthreads();
    }

    for (int i = 0; i < ROWS; ++i) {
        // TODO(5): store Pvalue[i] in its element of P, if this element is inside P.
    }
}

int chooseTileWidth(const cudaDeviceProp& device) {
    // TODO(6): return the largest tile width that is a multiple of ROWS and fits the device. A
    // block has tileWidth x tileWidth / ROWS threads, at most device.maxThreadsPerBlock. Its two
    // tiles take at most device.sharedMemPerBlockOptin bytes.
    return ROWS;
}

void matrixMulWithTile(const float* M, const float* N, float* P, int Width, int tileWidth) {
    size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytes));
    CHECK(cudaMalloc(&d_N, bytes));
    CHECK(cudaMalloc(&d_P, bytes));
    CHECK(cudaMemcpy(d_M, M, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice));

    // TODO(7): a block that needs more than 48 KB must ask for it, once, before the launch. Set
    // cudaFuncAttributeMaxDynamicSharedMemorySize of the kernel with cudaFuncSetAttribute.

    int tiles = (Width - 1) / tileWidth + 1;
    dim3 dimGrid(tiles, tiles);
    dim3 dimBlock(tileWidth, tileWidth / ROWS);
    // TODO(1): add a third launch parameter: the size of the shared array, in bytes.
    dynamicMatrixMulKernel<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}

void dynamicMatrixMul(const float* M, const float* N, float* P, int Width) {
    // TODO(8): get the properties of device 0, and use the tile width that you choose for them.
    matrixMulWithTile(M, N, P, Width, ROWS);
}
