// Tries: to load what nobody counts, by a function that only the host names.
// Gets: refused: kernel code calls strlen, a function of the host; nvcc refuses that, too
#include <cuda_runtime.h>

#include <cstring>

typedef std::size_t (*Function)(const char*);
__device__ Function unseen;

__global__ void matrixMulKernel(const float* M, const float*, float* P, int) {
    P[threadIdx.x] = static_cast<float>(unseen(reinterpret_cast<const char*>(M)));
}

void matrixMul(const float*, const float*, float*, int) {
    const Function host = std::strlen;
    cudaMemcpyToSymbol(unseen, &host, sizeof host);
}
