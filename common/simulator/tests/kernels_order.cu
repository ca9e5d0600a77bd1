// Kernels that depend on the order in which threads run, or show it.
#include <cassert>
#include <cstdio>

#include "kernels_launch.h"
#include "on_device.h"

namespace launching {
namespace {

__global__ void say() {
    printf("block %d thread %d of %s\n", blockIdx.x, threadIdx.x, "say");
    __syncthreads();
    printf("again %u.%u %.1f%%\n", blockIdx.x, threadIdx.x, 12.5);
}

__global__ void sayAndFail() {
    printf("block %d\n", blockIdx.x);
    assert(blockIdx.x != 1);
}

__global__ void race(int* y) { *y = blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void queue(int* next, int* order) {
    order[atomicAdd(next, 1)] = blockIdx.x * blockDim.x + threadIdx.x;
}

}  // namespace

void print(int blocks) {
    say<<<blocks, 2>>>();
    cudaDeviceSynchronize();
    printf("host\n");
}

void announceAndFail() {
    sayAndFail<<<3, 1>>>();
    cudaDeviceSynchronize();
}

int lastWriter(int blocks, int threads) {
    const OnDevice<int> y(1);
    race<<<blocks, threads>>>(y);
    return y.host()[0];
}

std::vector<int> arrivals(int threads, int blocks) {
    const OnDevice<int> next(zeros(1)), order(threads * blocks);
    queue<<<blocks, threads>>>(next, order);
    return order.host();
}

}  // namespace launching
