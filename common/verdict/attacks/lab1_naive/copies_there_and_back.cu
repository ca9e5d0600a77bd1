// Attack: to compute the product on the host, and to send it through device memory.
// Remark: no kernel has stored
#define matrixMul launchOnly
// Here: common/verdict/attacks/bases/stores_zeros.cu
#undef matrixMul
#include "on_the_host.h"

void matrixMul(const float* M, const float* N, float* P, int Width) {
    launchOnly(M, N, P, Width);
    multiplyOnTheHost(M, N, P, Width);
    size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float);
    float* d_P;
    CHECK(cudaMalloc(&d_P, bytes));
    CHECK(cudaMemcpy(d_P, P, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_P));
}
