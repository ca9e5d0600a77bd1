// Tries: to load without being counted, by a structure that is large enough to be copied as a block.
// Gets: failed: out of bounds
#include <cuda_runtime.h>

struct Block {
    float values[100];
};

__device__ float of(Block block) { return block.values[0]; }

__global__ void matrixMulKernel(const float* M, const float*, float* P, int Width) {
    P[threadIdx.x] = of(reinterpret_cast<const Block*>(M)[Width * Width]);
}

void matrixMul(const float*, const float*, float*, int) {}
