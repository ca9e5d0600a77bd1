// Rung 10: shaped to the chip. A block of 256 threads computes 128 x 256 elements of P and a thread
// 16 x 8, which fills the registers of an SM with one block. Smaller tiles if P is so small that
// SMs would stay idle.
//
// Predicted: six loads of 16 bytes serve 128 multiply-adds; rung 9 has four for 64: 4.5 % of
// the instruction slots instead of 5.9 %. Half as many barriers. The values of the next step are
// loaded into registers during this one, and a phase's copies have no conditions. A quarter faster.
//
// measured:begin
// Measured on an NVIDIA H200: 52.9 TFLOP/s at N = 4096, 105.5 % of cuBLAS,
// 1.29 times rung 9.
// 15.9 at 512, 40.9 at 1024, 51.2 at 2048, 53.8 at 8192, 53.6 at 16384, 44.8 at 4097x3001x5003.
// measured:end
#include <cuda_pipeline.h>

#include "fallback.h"
#include "ladder.h"

constexpr int kBursts = 2;

// The tiles of a block and of a warp, the number of blocks that share an SM, and the depth of the
// tiles of a phase: sixteen, or eight if N is copied in single floats, so that bursts of copies
// stay short. A warp is 4 x 8 lanes.
template <int Rows, int Cols, int WarpTileRows, int WarpTileCols, int BlocksPerSM, int CopyWidth>
struct Shape {
    static constexpr int rows = Rows, cols = Cols, blocksPerSM = BlocksPerSM;
    static constexpr int copyWidth = CopyWidth;  // floats of N that one copy moves
    static constexpr int depth = CopyWidth == 4 ? 16 : 8, stages = CopyWidth == 4 ? 3 : 4;
    static constexpr int warpRows = WarpTileRows, warpCols = WarpTileCols;
    static constexpr int threadRows = warpRows / 4, threadCols = warpCols / 8;
    static constexpr int threads = rows / warpRows * (cols / warpCols) * 32;
    static constexpr int mdsStride = rows + 4;  // so that a warp's copies of M use each bank once
    static constexpr int mdsSize = depth * mdsStride;
    static constexpr int stageSize = mdsSize + depth * cols;
    static constexpr int sharedBytes = stages * stageSize * sizeof(float);
};
template <int CopyWidth>
using Large = Shape<128, 256, 64, 64, 1, CopyWidth>;
template <int CopyWidth>
using Medium = Shape<128, 128, 64, 64, 2, CopyWidth>;
template <int CopyWidth>
using Small = Shape<64, 64, 32, 32, 4, CopyWidth>;

// What one thread copies of the tiles of a phase: the same places of the tiles each time, from
// pointers that move on by a phase. Rows and columns past the edge repeat those of the edge; their
// results are not stored.
template <class S>
struct Copier {
    // Eight lanes read 32 bytes of a row of M and write them to eight rows of Mds.
    static constexpr int mPasses = S::rows * 8 / S::threads, mRowsAPass = S::threads / 8;
    static constexpr int mHalves = S::depth / 8;
    static constexpr int nLanes = S::cols / S::copyWidth, nRowsAPass = S::threads / nLanes;
    static constexpr int nPasses = S::depth / nRowsAPass;
    static constexpr int copies = mPasses * mHalves + nPasses;

    const float* mFrom[mPasses];
    const float* nFrom;
    float *mTo, *nTo;
    int l;

    __device__ Copier(const float* M, const float* N, int j, int k, int l_, float* shared) : l(l_) {
        int row = threadIdx.x / 8, col = threadIdx.x % 8;
#pragma unroll
        for (int pass = 0; pass < mPasses; ++pass) {
            int Row = min(static_cast<int>(blockIdx.y) * S::rows + row + pass * mRowsAPass, j - 1);
            mFrom[pass] = M + static_cast<size_t>(Row) * k + col;
        }
        mTo = shared + col * S::mdsStride + row;
        row = threadIdx.x / nLanes, col = threadIdx.x % nLanes * S::copyWidth;
        int Col = min(static_cast<int>(blockIdx.x) * S::cols + col, l - S::copyWidth);
        nFrom = N + static_cast<size_t>(row) * l + Col;
        nTo = shared + S::mdsSize + row * S::cols + col;
    }

    // Copies numbers from to end of a full phase.
    __device__ void copy(int stage, int from, int end) const {
#pragma unroll
        for (int c = 0; c < copies; ++c) {
            if (c < from || c >= end) continue;
            if (c < mPasses * mHalves) {
                int pass = c / mHalves, half = c % mHalves;
                float* to = mTo + stage * S::stageSize + half * 8 * S::mdsStride;
                __pipeline_memcpy_async(to + pass * mRowsAPass, mFrom[pass] + half * 8, 4);
            } else {
                int row = (c - mPasses * mHalves) * nRowsAPass;
                __pipeline_memcpy_async(nTo + stage * S::stageSize + row * S::cols,
                                        nFrom + static_cast<size_t>(row) * l, 4 * S::copyWidth);
            }
        }
    }

    // The first phase may be less deep than the tiles; zeros fill the rest.
    __device__ void copyFirst(int depth) const {
        int col = threadIdx.x % 8, nRow = threadIdx.x / nLanes;
        for (int c = 0; c < mPasses * mHalves; ++c) {
            int pass = c / mHalves, half = c % mHalves;
            bool inside = col + half * 8 < depth;
            __pipeline_memcpy_async(mTo + half * 8 * S::mdsStride + pass * mRowsAPass,
                                    mFrom[pass] + (inside ? half * 8 : -col), 4, inside ? 0 : 4);
        }
        for (int pass = 0; pass < nPasses; ++pass) {
            int row = pass * nRowsAPass;
            bool inside = nRow + row < depth;
            int back = inside ? row : -nRow;
            __pipeline_memcpy_async(nTo + row * S::cols, nFrom + static_cast<long long>(back) * l,
                                    4 * S::copyWidth, inside ? 0 : 4 * S::copyWidth);
        }
    }

    __device__ void advance(int depth) {
#pragma unroll
        for (int pass = 0; pass < mPasses; ++pass) mFrom[pass] += depth;
        nFrom += static_cast<size_t>(depth) * l;
    }
};

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocksPerSM)
    tunedKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    extern __shared__ __align__(16) float shared[];
    constexpr int Rows = S::threadRows, Cols = S::threadCols;
    Copier<S> copier(M, N, j, k, l, shared);
    int phases = (k + S::depth - 1) / S::depth;
    int firstDepth = k - (phases - 1) * S::depth;

    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int warpRow = warp % (S::rows / S::warpRows) * S::warpRows;
    int warpCol = warp / (S::rows / S::warpRows) * S::warpCols;
    // Lanes in pairs, so that 16 bytes for each of 32 lanes take two passes instead of four.
    int ty = warpRow + (lane / 16 * 2 + lane % 2) * 4, tx = warpCol + lane / 2 % 8 * 4;

    __align__(16) float m[2][Rows], n[2][Cols];
    auto loadStep = [&](int buffer, int stage, int i) {
        const float* Mds = shared + stage * S::stageSize + i * S::mdsStride + ty;
        const float* Nds = shared + stage * S::stageSize + S::mdsSize + i * S::cols + tx;
#pragma unroll
        for (int r = 0; r < Rows; r += 4) quad(m[buffer][r]) = quad(Mds[r * 4]);
#pragma unroll
        for (int c = 0; c < Cols; c += 4) quad(n[buffer][c]) = quad(Nds[c * 8]);
    };

    for (int ph = 0; ph < S::stages - 1; ++ph) {
        if (ph == 0) {
            copier.copyFirst(firstDepth);
            copier.advance(phases > 1 ? firstDepth : 0);
        } else if (ph < phases) {
            copier.copy(ph, 0, copier.copies);
            copier.advance(ph + 1 < phases ? S::depth : 0);
        }
        __pipeline_commit();
    }
    __pipeline_wait_prior(S::stages - 2);
    __syncthreads();
    loadStep(0, 0, 0);

    float Pvalue[Rows][Cols] = {};
    int stage = 0, copyStage = S::stages - 1;
#pragma unroll 1
    for (int ph = 0; ph < phases; ++ph) {
#pragma unroll
        for (int i = 0; i < S::depth; ++i) {
            if (i == S::depth - 1) {
                // The next phase has arrived for all threads, and none reads this phase's stage any
                // more.
                __pipeline_wait_prior(S::stages - 2);
                __syncthreads();
                stage = stage + 1 == S::stages ? 0 : stage + 1;
            }
            loadStep((i + 1) % 2, stage, (i + 1) % S::depth);
            // Two bursts, so that loads of fragments run between them. After the last phase the
            // copies repeat it, and no thread reads them, which is cheaper than a condition.
            constexpr int kBetween = (S::depth - 2) / kBursts;
            if (i % kBetween == 0 && i / kBetween < kBursts)
                copier.copy(copyStage, i / kBetween * copier.copies / kBursts,
                            (i / kBetween + 1) * copier.copies / kBursts);
            if (i == S::depth - 2) {
                __pipeline_commit();
                copyStage = copyStage + 1 == S::stages ? 0 : copyStage + 1;
            }
            // Not right after the copies, which still read the pointers.
            if (i == S::depth - 1) copier.advance(ph + S::stages < phases ? S::depth : 0);
                // Back and forth, so that a multiply-add shares two operands with the one before.
#pragma unroll
            for (int r = 0; r < Rows; ++r) {
#pragma unroll
                for (int e = 0; e < Cols; ++e) {
                    int c = r % 2 ? Cols - 1 - e : e;
                    Pvalue[r][c] = fmaf(m[i % 2][r], n[i % 2][c], Pvalue[r][c]);
                }
            }
        }
    }

    // Single stores: those of 16 bytes would tie four sums each to neighbouring registers, and more
    // multiply-adds would find their operands in the same bank of the register file.
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        int Row = blockIdx.y * S::rows + ty + r / 4 * 16 + r % 4;
        if (Row >= j) continue;
#pragma unroll
        for (int c = 0; c < Cols; ++c) {
            int Col = blockIdx.x * S::cols + tx + c / 4 * 32 + c % 4;
            if (Col < l) P[static_cast<size_t>(Row) * l + Col] = Pvalue[r][c];
        }
    }
}

template <class S>
static void launchShape(const float* M, const float* N, float* P, int j, int k, int l) {
    auto kernel = tunedKernel<S>;
    // A kernel must ask for more than 48 KB of shared memory.
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::sharedBytes);
    dim3 dimGrid(blocksFor(l, S::cols), blocksFor(j, S::rows));
    kernel<<<dimGrid, S::threads, S::sharedBytes>>>(M, N, P, j, k, l);
}

// Returns whether a shape fits an SM and gives nearly every one a block.
template <class S>
static bool fills(int j, int l) {
    static const bool fits = S::sharedBytes <= abilities().sharedBytes;
    if (!fits) return false;
    int device, sms;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    return 1.0 * blocksFor(j, S::rows) * blocksFor(l, S::cols) >= 0.9 * sms;
}

// Returns the largest shape that does, or else the smallest.
template <int CopyWidth>
static void launchWidth(const float* M, const float* N, float* P, int j, int k, int l) {
    if (fills<Large<CopyWidth>>(j, l))
        launchShape<Large<CopyWidth>>(M, N, P, j, k, l);
    else if (fills<Medium<CopyWidth>>(j, l))
        launchShape<Medium<CopyWidth>>(M, N, P, j, k, l);
    else
        launchShape<Small<CopyWidth>>(M, N, P, j, k, l);
}

static Tile chosenTile(int j, int l) {
    if (fills<Large<4>>(j, l)) return {Large<4>::rows, Large<4>::cols};
    if (fills<Medium<4>>(j, l)) return {Medium<4>::rows, Medium<4>::cols};
    return {Small<4>::rows, Small<4>::cols};
}

static void launch(const float* M, const float* N, float* P, int j, int k, int l) {
    [[maybe_unused]] static const bool told =
        tellFallback("10_tuned", Large<4>::sharedBytes, "smaller ones run");
    // The kernel needs a full phase after the first, and large tiles gain nothing on so little
    // work.
    if (k <= Large<4>::depth)
        asyncCopies.launch(M, N, P, j, k, l);
    else if (rowsAligned(N, l))
        launchWidth<4>(M, N, P, j, k, l);
    else
        launchWidth<1>(M, N, P, j, k, l);
}

const Rung tuned = {"10_tuned", launch, chosenTile};
