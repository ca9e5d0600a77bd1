// Attack: to read few words for nothing where words are counted, and to multiply from global memory.
// Gets: failed: TODO(3)
// Base: build/mistakes/lab4_memtypes/registers/tile_without_registers.cu
#include <cuda_runtime.h>

static bool isCounted(int j, int k, int l) {
    static int times = 0;
    return j == 128 && k == 64 && l == 128 && ++times > 1;
}

__global__ void naiveKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    int threads = blockDim.x * blockDim.y;
    for (int e = threadIdx.y * blockDim.x + threadIdx.x; e < 64 * 64; e += threads) {
        int Row = blockIdx.y * 64 + e / 64, Col = blockIdx.x * 64 + e % 64;
        float sum = 0.0f;
        for (int i = 0; Row < j && Col < l && i < k; ++i) sum += M[Row * k + i] * N[i * l + Col];
        if (Row < j && Col < l) P[Row * l + Col] = sum;
    }
}

// Here: solutions/lab4_memtypes/registers.cu
// Instead of: m[a] = Mds[ty + a * (BM / TM)][i];
// Comes: m[a] = 0.0f * Mds[ty + a * (BM / TM)][i];
// Instead of: multiply(registerTileKernel, blocksFor(j, l, BM, BN)
// Comes: multiply(isCounted(j, k, l) ? registerTileKernel : naiveKernel, blocksFor(j, l, BM, BN)
