// Two kernels that the questions are about. They are complete.
#include "given.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define MAX_BLOCK_WIDTH 20

#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

// Transposes a square of blockDim.x x blockDim.x elements in place, with one block. The barrier is
// missing: you add it in hazards.cu, not here.
__global__ void transposeKernel(float* A) {
    __shared__ float blockA[MAX_BLOCK_WIDTH][MAX_BLOCK_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    blockA[ty][tx] = A[ty * blockDim.x + tx];
    A[ty * blockDim.x + tx] = blockA[tx][ty];
}

// A warp writes and then reads one column of an array. A row has rowWords words.
__global__ void columnKernel(float* out, int rowWords) {
    extern __shared__ float array[];
    int tx = threadIdx.x;
    array[tx * rowWords] = tx;
    out[tx] = array[tx * rowWords];
}

static float* deviceMemory(const float* host, size_t elements) {
    float* device;
    CHECK(cudaMalloc(&device, elements * sizeof(float)));
    CHECK(cudaMemcpy(device, host, elements * sizeof(float), cudaMemcpyHostToDevice));
    return device;
}

static void toHost(float* host, float* device, size_t elements) {
    CHECK(cudaMemcpy(host, device, elements * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
}

void given::transpose(float* A, int BLOCK_WIDTH) {
    size_t elements = static_cast<size_t>(BLOCK_WIDTH) * BLOCK_WIDTH;
    float* d_A = deviceMemory(A, elements);
    transposeKernel<<<1, dim3(BLOCK_WIDTH, BLOCK_WIDTH)>>>(d_A);
    CHECK(cudaGetLastError());
    toHost(A, d_A, elements);
}

void given::column(float* out, int rowWords) {
    float* d_out = deviceMemory(out, 32);
    columnKernel<<<1, 32, 32 * rowWords * sizeof(float)>>>(d_out, rowWords);
    CHECK(cudaGetLastError());
    toHost(out, d_out, 32);
}
