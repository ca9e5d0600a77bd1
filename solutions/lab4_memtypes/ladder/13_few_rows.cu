// Rung 13: few rows, columns or products. A product with one row reads N once and uses each value
// once: only the memory counts, and tiles are of no use. With up to four rows a block adds up 128
// columns, four per lane, and its warps take turns along k; with up to four columns a block takes
// two rows of M, and its threads go along k together. With up to 16 products per element, a thread
// keeps its values of N and goes down rows of P. Other shapes go to rung 12.
//
// Predicted: 1 x 4096 times 4096 x 4096 moves 67 MB, 14 us at 4.8 TB/s. Rung 12 computes 128 rows
// of which one counts. Ten times as fast there.
//
// measured:begin
// Measured on an NVIDIA H200: 52.6 TFLOP/s at N = 4096, 105.0 % of cuBLAS,
// 1.00 times rung 12.
// 13.5 at 512, 31.5 at 1024, 49.2 at 2048, 53.3 at 8192, 53.7 at 16384, 48.7 at 4097x3001x5003.
// measured:end
#include "ladder.h"
#include "workspace.h"

constexpr int kCols = 128;  // of N that a block of rows adds up, four per lane
constexpr int kAtOnce = 4;  // rows of N that a warp loads before it multiplies

// Returns four elements of a row as quadAt() does; N passes by once, past the L1 cache.
template <bool Aligned>
__device__ inline float4 streamedQuad(const float* A, int rows, int cols, int row, int col) {
    if (!Aligned) return quadAt<false>(A, rows, cols, row, col);
    if (row >= rows || col >= cols) return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    return __ldcs(reinterpret_cast<const float4*>(&A[static_cast<size_t>(row) * cols + col]));
}

// A block adds up part blockIdx.y of k; the last block of its columns adds up the parts in order.
// Warps take turns along k, kAtOnce rows of N at a time, so that many loads are on their way.
template <int J, int Warps, int BlocksPerSM, bool Aligned>
__global__ void __launch_bounds__(32 * Warps, BlocksPerSM)
    fewRowsKernel(const float* M, const float* N, float* P, int j, int k, int l, float* parts,
                  int* counters) {
    __shared__ __align__(16) float sums[Warps][J][kCols];
    __shared__ bool last;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tileCol = blockIdx.x * kCols;
    int col = tileCol + lane * 4;
    float4 Pvalue[J] = {};
    int step = Warps * gridDim.y;
    for (int first = blockIdx.y * Warps + warp; first < k; first += kAtOnce * step) {
#pragma unroll
        for (int e = 0; e < kAtOnce; ++e) {
            int i = first + e * step;
            float4 n = streamedQuad<Aligned>(N, k, l, i, col);
#pragma unroll
            for (int r = 0; r < J; ++r) {
                float m = at(M, j, k, r, i);
                Pvalue[r].x = fmaf(m, n.x, Pvalue[r].x), Pvalue[r].y = fmaf(m, n.y, Pvalue[r].y);
                Pvalue[r].z = fmaf(m, n.z, Pvalue[r].z), Pvalue[r].w = fmaf(m, n.w, Pvalue[r].w);
            }
        }
    }
#pragma unroll
    for (int r = 0; r < J; ++r) quad(sums[warp][r][lane * 4]) = Pvalue[r];
    __syncthreads();
    size_t size = static_cast<size_t>(j) * l;
    for (int e = threadIdx.x; e < J * kCols; e += blockDim.x) {
        int Row = e / kCols, Col = tileCol + e % kCols;
        if (Row >= j || Col >= l) continue;
        float sum = 0.0f;
#pragma unroll
        for (int w = 0; w < Warps; ++w) sum += sums[w][Row][e % kCols];
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
    for (int e = threadIdx.x; e < J * kCols; e += blockDim.x) {
        int Row = e / kCols, Col = tileCol + e % kCols;
        if (Row >= j || Col >= l) continue;
        size_t at = static_cast<size_t>(Row) * l + Col;
        float sum = 0.0f;
#pragma unroll 16
        for (int part = 0; part < gridDim.y; ++part) sum += __ldcg(&parts[part * size + at]);
        P[at] = sum;
    }
    if (threadIdx.x == 0) counters[blockIdx.x] = 0;
}

constexpr int kWarps = 8, kThreads = 32 * kWarps, kRows = 2;

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

constexpr int kQuads = 128;  // of a row of P, one per thread

// k <= K: a thread keeps K rows of four columns of N and goes down K rows of P. If rows of P are
// not aligned, every fourth begins at the same place of 16 bytes: these are a thread's rows, and
// its columns begin where it can store 16 bytes at once.
template <int K>
__global__ void __launch_bounds__(kQuads)
    fewProductsKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    int first = blockIdx.x / 4 * 4 * K + blockIdx.x % 4;
    if (first >= j) return;
    int before = reinterpret_cast<size_t>(P + static_cast<size_t>(first) * l) / sizeof(float) % 4;
    int col = (blockIdx.y * kQuads + threadIdx.x) * 4 - before;
    if (col >= l) return;
    float n[K][4];
#pragma unroll
    for (int i = 0; i < K; ++i) {
#pragma unroll
        for (int c = 0; c < 4; ++c) n[i][c] = col + c >= 0 ? at(N, k, l, i, col + c) : 0.0f;
    }
#pragma unroll
    for (int q = 0; q < K; ++q) {
        int Row = first + 4 * q;
        if (Row >= j) return;
        float sum[4] = {};
#pragma unroll
        for (int i = 0; i < K; ++i) {
            float m = M[static_cast<size_t>(Row) * k + min(i, k - 1)];
#pragma unroll
            for (int c = 0; c < 4; ++c) sum[c] = fmaf(m, n[i][c], sum[c]);
        }
        float* to = P + static_cast<size_t>(Row) * l + col;
        if (col >= 0 && col + 4 <= l)
            quad(*to) = make_float4(sum[0], sum[1], sum[2], sum[3]);
        else
            for (int c = 0; c < 4; ++c)
                if (col + c >= 0 && col + c < l) to[c] = sum[c];
    }
}

template <int J, int Warps, int BlocksPerSM>
static void launchRows(const float* M, const float* N, float* P, int j, int k, int l) {
    int across = blocksFor(l, kCols), most = max(1, BlocksPerSM * multiprocessors() / across);
    // Each part has a multiple of the rows that a block reads at once.
    int rounds = blocksFor(k, kAtOnce * Warps * most),
        parts = blocksFor(k, kAtOnce * Warps * rounds);
    Workspace space = {nullptr, nullptr};
    if (parts > 1) space = workspace(static_cast<size_t>(parts) * j * l, across);
    auto kernel = rowsAligned(N, l) ? fewRowsKernel<J, Warps, BlocksPerSM, true>
                                    : fewRowsKernel<J, Warps, BlocksPerSM, false>;
    kernel<<<dim3(across, parts), 32 * Warps>>>(M, N, P, j, k, l, space.parts, space.counters);
}

template <int K>
static void launchProducts(const float* M, const float* N, float* P, int j, int k, int l) {
    // Rows along x: a grid may have more blocks there.
    dim3 grid(4 * blocksFor(j, 4 * K), blocksFor(l + 3, 4 * kQuads));
    fewProductsKernel<K><<<grid, kQuads>>>(M, N, P, j, k, l);
}

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    if (j == 1)
        launchRows<1, 16, 4>(M, N, P, j, k, l);
    else if (l == 1)
        fewColsKernel<1><<<blocksFor(j, kRows), kThreads>>>(M, N, P, j, k, l);
    else if (j <= 4)
        launchRows<4, 16, 2>(M, N, P, j, k, l);
    else if (l <= 4)
        fewColsKernel<4><<<blocksFor(j, kRows), kThreads>>>(M, N, P, j, k, l);
    else if (k <= 4)
        launchProducts<4>(M, N, P, j, k, l);
    else if (k <= 8)
        launchProducts<8>(M, N, P, j, k, l);
    else if (k <= 16)
        launchProducts<16>(M, N, P, j, k, l);
    else
        streamK.launch(M, N, P, j, k, l);
}

const Rung fewRows = {"13_few_rows", launch, always<128, 256>};
