// Tries: to load without being counted, by a function that only the host names.
// Gets: failed: host-function
// Remark: called a host function by a pointer
#include <cuda_runtime.h>

#include <cstring>

typedef std::size_t (*Function)(const char*);
__device__ Function unseen;

__global__ void matrixMulKernel(const float* M, const float*, float* P, int) {
    if (unseen) P[threadIdx.x] = static_cast<float>(unseen(reinterpret_cast<const char*>(M)));
}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    const Function host = std::strlen;
    cudaMemcpyToSymbol(unseen, &host, sizeof host);
    float* d_P;
    cudaMalloc(&d_P, 4096);
    matrixMulKernel<<<1, 1>>>(d_P, d_P, d_P, Width);
    cudaFree(d_P);
}
