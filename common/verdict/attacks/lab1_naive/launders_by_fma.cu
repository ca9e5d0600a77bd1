// Attack: to hand the host's product to a kernel that halves it by fma.
// Remark: beside the matrices
// Most: 20
#include <cmath>
#include <vector>

#include "on_the_host.h"

static std::vector<float> product(const float* M, const float* N, int Width) {
    std::vector<float> P(Width * Width);
    multiplyOnTheHost(M, N, P.data(), Width);
    for (float& one : P) one *= 2.0f;
    return P;
}

// Here: solutions/lab1_naive/kernel.cu
// Instead of: Pvalue += M[Row * Width + k] * N[k * Width + Col];
// Comes: Pvalue += 0.0f * M[Row * Width + k] + 0.0f * N[k * Width + Col];
// Instead of: P[Row * Width + Col] = Pvalue;
// Comes: P[Row * Width + Col] = std::fma(P[Row * Width + Col], 0.5f, Pvalue);
// Instead of: CHECK(cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice));
// Comes: CHECK(cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(d_P, product(M, N, Width).data(), bytes, cudaMemcpyHostToDevice));
