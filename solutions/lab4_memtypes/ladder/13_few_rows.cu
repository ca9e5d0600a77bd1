// Rung 13: few rows or few columns. A product with one row reads N once and uses each value once:
// only the memory counts, and tiles are of no use. With up to four rows a block adds up 128
// columns, four a lane, and its warps take turns along k; with up to four columns a block takes two
// rows of M, and its threads go along k together. Other shapes go to rung 12.
//
// Predicted: 1 x 4096 times 4096 x 4096 moves 67 MB, 14 us at 4.8 TB/s. Rung 12 computes 128 rows
// of which one counts. Ten times as fast there.
//
// measured:begin
// Measured on an NVIDIA H200: 52.8 TFLOP/s at N = 4096, 104.0 % of cuBLAS,
// 1.00 times rung 12.
// 13.1 at 512, 31.7 at 1024, 49.2 at 2048, 53.4 at 8192, 53.4 at 16384, 45.8 at 4097x3001x5003.
// measured:end
#include "ladder.h"
#include "workspace.h"

constexpr int kWarps = 8, kThreads = 32 * kWarps, kCols = 128, kRows = 2;

// A block adds up part blockIdx.y of k; the last block of its columns adds up the parts in order.
template <int J>
__global__ void __launch_bounds__(kThreads)
    fewRowsKernel(const float* M, const float* N, float* P, int j, int k, int l, float* parts,
                  int* counters) {
    __shared__ float sums[kWarps][J][kCols];
    __shared__ bool last;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tileCol = blockIdx.x * kCols;
    int first = blockIdx.y * kWarps + warp, step = kWarps * gridDim.y;
    float Pvalue[J][4] = {};
    int col[4];  // lanes read neighbours; columns past the edge repeat the last one
#pragma unroll
    for (int c = 0; c < 4; ++c) col[c] = min(tileCol + c * 32 + lane, l - 1);
#pragma unroll 8
    for (int i = first; i < k; i += step) {
        float value[4];
#pragma unroll
        for (int c = 0; c < 4; ++c) value[c] = N[static_cast<size_t>(i) * l + col[c]];
#pragma unroll
        for (int r = 0; r < J; ++r) {
            float m = M[static_cast<size_t>(min(r, j - 1)) * k + i];
#pragma unroll
            for (int c = 0; c < 4; ++c) Pvalue[r][c] = fmaf(m, value[c], Pvalue[r][c]);
        }
    }
#pragma unroll
    for (int r = 0; r < J; ++r) {
#pragma unroll
        for (int c = 0; c < 4; ++c) sums[warp][r][c * 32 + lane] = Pvalue[r][c];
    }
    __syncthreads();
    size_t size = static_cast<size_t>(j) * l;
    for (int e = threadIdx.x; e < J * kCols; e += kThreads) {
        int Row = e / kCols, Col = tileCol + e % kCols;
        if (Row >= j || Col >= l) continue;
        float sum = 0.0f;
        for (int w = 0; w < kWarps; ++w) sum += sums[w][Row][e % kCols];
        float* into = gridDim.y == 1 ? P : parts + blockIdx.y * size;
        into[static_cast<size_t>(Row) * l + Col] = sum;
    }
    if (gridDim.y == 1) return;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(&counters[blockIdx.x], 1) == gridDim.y - 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    for (int e = threadIdx.x; e < J * kCols; e += kThreads) {
        int Row = e / kCols, Col = tileCol + e % kCols;
        if (Row >= j || Col >= l) continue;
        size_t at = static_cast<size_t>(Row) * l + Col;
        float sum = 0.0f;
#pragma unroll 8
        for (int part = 0; part < gridDim.y; ++part) sum += __ldcg(&parts[part * size + at]);
        P[at] = sum;
    }
    if (threadIdx.x == 0) counters[blockIdx.x] = 0;
}

template <int L>
__global__ void __launch_bounds__(kThreads)
    fewColsKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    __shared__ float sums[kWarps][kRows][L];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tileRow = blockIdx.x * kRows;
    float Pvalue[kRows][L] = {};
#pragma unroll 4
    for (int i = threadIdx.x; i < k; i += kThreads) {
        float n[L];
#pragma unroll
        for (int c = 0; c < L; ++c) n[c] = at(N, k, l, i, c);
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            float m = M[static_cast<size_t>(min(tileRow + r, j - 1)) * k + i];
#pragma unroll
            for (int c = 0; c < L; ++c) Pvalue[r][c] = fmaf(m, n[c], Pvalue[r][c]);
        }
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
        for (int c = 0; c < L; ++c) {
            float sum = Pvalue[r][c];
            for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
            if (lane == 0) sums[warp][r][c] = sum;
        }
    }
    __syncthreads();
    int Row = tileRow + threadIdx.x / L, Col = threadIdx.x % L;
    if (threadIdx.x >= kRows * L || Row >= j || Col >= l) return;
    float sum = 0.0f;
    for (int w = 0; w < kWarps; ++w) sum += sums[w][Row - tileRow][Col];
    P[static_cast<size_t>(Row) * l + Col] = sum;
}

template <int J>
static void launchRows(const float* M, const float* N, float* P, int j, int k, int l) {
    // Four blocks an SM, and no part of fewer than 64 rows of N.
    int across = blocksFor(l, kCols), parts = max(1, 4 * multiprocessors() / across);
    parts = min(parts, max(1, k / 64));
    Workspace space = {nullptr, nullptr};
    if (parts > 1) space = workspace(static_cast<size_t>(parts) * j * l, across);
    fewRowsKernel<J>
        <<<dim3(across, parts), kThreads>>>(M, N, P, j, k, l, space.parts, space.counters);
}

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    if (j == 1)
        launchRows<1>(M, N, P, j, k, l);
    else if (l == 1)
        fewColsKernel<1><<<blocksFor(j, kRows), kThreads>>>(M, N, P, j, k, l);
    else if (j <= 4)
        launchRows<4>(M, N, P, j, k, l);
    else if (l <= 4)
        fewColsKernel<4><<<blocksFor(j, kRows), kThreads>>>(M, N, P, j, k, l);
    else
        streamK.launch(M, N, P, j, k, l);
}

const Rung fewRows = {"13_few_rows", launch, always<128, 256>};
