// Two kernels that the questions are about. They are complete.
#include "given.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

__global__ void localKernel(int* drawn) {
    int own = 0;
    drawn[blockIdx.x * blockDim.x + threadIdx.x] = own++;
}

__global__ void sharedKernel(int* drawn) {
    __shared__ int counter;
    if (threadIdx.x == 0) counter = 0;
    __syncthreads();
    drawn[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(&counter, 1);
}

static int* deviceMemory(size_t elements) {
    int* device;
    CHECK(cudaMalloc(&device, elements * sizeof(int)));
    return device;
}

static void toHost(int* host, int* device, size_t elements) {
    CHECK(cudaMemcpy(host, device, elements * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
}

void given::drawFromLocal(int* drawn, int blocks, int threads) {
    size_t elements = static_cast<size_t>(blocks) * threads;
    int* d_drawn = deviceMemory(elements);
    localKernel<<<blocks, threads>>>(d_drawn);
    CHECK(cudaGetLastError());
    toHost(drawn, d_drawn, elements);
}

void given::drawFromShared(int* drawn, int blocks, int threads) {
    size_t elements = static_cast<size_t>(blocks) * threads;
    int* d_drawn = deviceMemory(elements);
    sharedKernel<<<blocks, threads>>>(d_drawn);
    CHECK(cudaGetLastError());
    toHost(drawn, d_drawn, elements);
}
