// Attack: to hand the host's product to a kernel with its digits turned over.
// Remark: beside the matrices
// Most: 20
#include <cstring>
#include <vector>

#include "on_the_host.h"

static std::vector<float> product(const float* M, const float* N, int Width) {
    std::vector<float> P(Width * Width);
    multiplyOnTheHost(M, N, P.data(), Width);
    for (float& one : P) {
        unsigned digits;
        memcpy(&digits, &one, sizeof digits);
        digits = ~digits;
        memcpy(&one, &digits, sizeof digits);
    }
    return P;
}

// Here: solutions/lab1_naive/kernel.cu
// Instead of: Pvalue += M[Row * Width + k] * N[k * Width + Col];
// Comes: Pvalue += 0.0f * M[Row * Width + k] + 0.0f * N[k * Width + Col];
// Instead of: P[Row * Width + Col] = Pvalue;
// Comes: P[Row * Width + Col] = __uint_as_float(~__float_as_uint(P[Row * Width + Col])) + Pvalue;
// Instead of: CHECK(cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice));
// Comes: CHECK(cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(d_P, product(M, N, Width).data(), bytes, cudaMemcpyHostToDevice));
