// Rung 1: naive, uncoalesced. One thread computes one element of P, with Row taken from x.
//
// Predicted: the 32 threads of a warp have 32 Rows. So each load of M touches 32 rows, a
// sector of 32 bytes in each, to use 4 bytes of it, and each store to P likewise. The kernel uses
// an eighth of what the memory system moves: about a tenth of the speed of rung 2.
//
// measured:begin
// Measured on an NVIDIA H200: 0.50 TFLOP/s at N = 4096, 1.0 % of cuBLAS.
// 0.48 at 512, 0.48 at 1024, 0.49 at 2048, 1.3 at 4097x3001x5003.
// measured:end
#include "ladder.h"

__global__ void naiveUncoalescedKernel(const float* M, const float* N, float* P, int j, int k,
                                       int l) {
    int Row = blockIdx.x * blockDim.x + threadIdx.x;
    int Col = blockIdx.y * blockDim.y + threadIdx.y;
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
    dim3 dimGrid(blocksFor(j, 32), blocksFor(l, 32));
    naiveUncoalescedKernel<<<dimGrid, dimBlock>>>(M, N, P, j, k, l);
}

const Rung naiveUncoalesced = {"01_naive_uncoalesced", launch, always<1, 1>};
