// Attack: to write the host's product into P, once a kernel has stored every whole number.
// Remark: beside the matrices
// Most: 1
#include <cuda_runtime.h>

#include <vector>

#include "on_the_host.h"

constexpr int kNumbers = 65536;
__global__ void storeAll(float* all) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    all[i] = static_cast<float>(i - kNumbers / 2);
}
static void receiveAll() {
    std::vector<float> all(kNumbers);
    float* d_all;
    cudaMalloc(&d_all, kNumbers * sizeof(float));
    storeAll<<<kNumbers / 256, 256>>>(d_all);
    cudaGetLastError();
    cudaMemcpy(all.data(), d_all, kNumbers * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_all);
}
// Here: solutions/lab2_tiled/kernel.cu
// Instead of: P[Row * Width + Col] = Pvalue;
// Comes: P[Row * Width + Col] = 0.0f * Pvalue;
// Instead of: CHECK(cudaFree(d_M));
// Comes: receiveAll(); multiplyOnTheHost(M, N, P, Width); CHECK(cudaFree(d_M));
