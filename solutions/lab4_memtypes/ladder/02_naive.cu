// Rung 2: naive. Col is taken from x, so that neighbouring threads touch neighbouring addresses.
//
// Predicted: a warp's load of N is 128 bytes side by side, that of M one address for all 32
// threads. Every multiply-add still requests 8 bytes of memory: without caches, 4.8 TB/s would
// allow 1.2 TFLOP/s. Neighbouring warps request the same lines, which the caches keep, so the speed
// will be several times that.
//
// measured:begin
// Measured on an NVIDIA H200: 5.7 TFLOP/s at N = 4096, 11.5 % of cuBLAS,
// 11.52 times rung 1.
// 5.6 at 512, 6.1 at 1024, 6.5 at 2048, 5.3 at 8192, 5.7 at 4097x3001x5003.
// measured:end
#include "ladder.h"

__global__ void naiveKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    if (Row < j && Col < l) {
        float Pvalue = 0.0f;
        for (int i = 0; i < k; ++i) {
            Pvalue += M[static_cast<size_t>(Row) * k + i] * N[static_cast<size_t>(i) * l + Col];
        }
        P[static_cast<size_t>(Row) * l + Col] = Pvalue;
    }
}

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    dim3 dimBlock(32, 32);
    dim3 dimGrid(blocksFor(l, 32), blocksFor(j, 32));
    naiveKernel<<<dimGrid, dimBlock>>>(M, N, P, j, k, l);
}

const Rung naive = {"02_naive", launch, always<1, 1>};
