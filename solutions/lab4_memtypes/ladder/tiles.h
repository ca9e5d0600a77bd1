// Shared by rungs 11, 12 and 14: the tiles of a block, its copies, and the inner loop of rung 10
// over any range of phases of a tile.
#pragma once
#include <cuda_pipeline.h>

#include "ladder.h"

// The tiles of a block. A warp has LaneRows x (32 / LaneRows) lanes, each with ThreadRows x
// ThreadCols sums; a block has WarpsDown x WarpsAcross warps. CopyWidth: floats of N that one copy
// moves, 4 if rows of N are aligned, else 1.
template <int LaneRows, int ThreadRows, int ThreadCols, int WarpsDown, int WarpsAcross,
          int BlocksPerSM, int CopyWidth, int Bursts = 1>
struct Shape {
    static constexpr int laneRows = LaneRows, laneCols = 32 / LaneRows;
    static constexpr int threadRows = ThreadRows, threadCols = ThreadCols,
                         sums = ThreadRows * ThreadCols;
    static constexpr int warpRows = laneRows * threadRows, warpCols = laneCols * threadCols;
    static constexpr int warpsDown = WarpsDown, threads = 32 * WarpsDown * WarpsAcross;
    static constexpr int rows = warpRows * WarpsDown, cols = warpCols * WarpsAcross;
    static constexpr int blocksPerSM = BlocksPerSM, copyWidth = CopyWidth;
    static constexpr int bursts = Bursts;  // of the copies of a phase
    static constexpr int depth = 16, stages = 3;
    static constexpr int mdsStride = rows + 4;  // so that a warp's copies of M use each bank once
    static constexpr int mdsSize = depth * mdsStride, stageSize = mdsSize + depth * cols;
    static constexpr int sharedBytes = stages * stageSize * sizeof(float);
};

// The part of a phase's tiles that one thread copies: the same places each time, from pointers that
// move on by a phase. Rows and columns past the edge repeat those of the edge; their results are
// not stored.
template <class S>
struct Copier {
    // Eight lanes read 32 bytes of a row of M and write them to eight rows of Mds.
    static constexpr int mRowsAPass = S::threads / 8, mHalves = S::depth / 8;
    static constexpr int mPasses = S::rows > mRowsAPass ? S::rows / mRowsAPass : 1;
    static constexpr int mCopies = mPasses * mHalves;
    static constexpr int nLanes = S::cols / S::copyWidth;
    static constexpr int nAcross = nLanes > S::threads ? nLanes / S::threads : 1;
    static constexpr int nRowsAPass = nLanes > S::threads ? 1 : S::threads / nLanes;
    static constexpr int nDown = S::depth > nRowsAPass ? S::depth / nRowsAPass : 1;
    static constexpr int copies = mCopies + nDown * nAcross;

    const float* mFrom[mPasses];
    const float* nFrom[nAcross];
    float *mTo, *nTo;
    int l;
    bool mMine, nMine;  // a small tile has fewer elements than the block threads

    // Points at row or column done of the tiles that begin at tileRow and tileCol.
    __device__ Copier(const float* M, const float* N, int j, int k, int l_, int tileRow,
                      int tileCol, int done, float* shared)
        : l(l_) {
        int row = threadIdx.x / 8, col = threadIdx.x % 8;
        mMine = S::rows >= mRowsAPass || row < S::rows;
#pragma unroll
        for (int pass = 0; pass < mPasses; ++pass) {
            int Row = min(tileRow + row + pass * mRowsAPass, j - 1);
            mFrom[pass] = M + static_cast<size_t>(Row) * k + done + col;
        }
        mTo = shared + col * S::mdsStride + row;
        row = threadIdx.x / nLanes, col = threadIdx.x % nLanes * S::copyWidth;
        nMine = S::depth >= nRowsAPass || row < S::depth;
#pragma unroll
        for (int pass = 0; pass < nAcross; ++pass) {
            int Col = min(tileCol + col + pass * S::threads * S::copyWidth, l - S::copyWidth);
            nFrom[pass] = N + static_cast<size_t>(done + row) * l + Col;
        }
        nTo = shared + S::mdsSize + row * S::cols + col;
    }

    // Copies numbers from to end - 1 of a full phase.
    __device__ void copy(int stage, int from, int end) const {
#pragma unroll
        for (int c = 0; c < copies; ++c) {
            if (c < from || c >= end) continue;
            if (c < mCopies) {
                int pass = c / mHalves, half = c % mHalves;
                float* to = mTo + stage * S::stageSize + half * 8 * S::mdsStride;
                if (mMine)
                    __pipeline_memcpy_async(to + pass * mRowsAPass, mFrom[pass] + half * 8, 4);
            } else {
                int row = (c - mCopies) / nAcross * nRowsAPass, across = (c - mCopies) % nAcross;
                float* to = nTo + stage * S::stageSize + row * S::cols;
                const float* from = nFrom[across] + static_cast<size_t>(row) * l;
                if (nMine)
                    __pipeline_memcpy_async(to + across * S::threads * S::copyWidth, from,
                                            4 * S::copyWidth);
            }
        }
    }

    // The first phase of a tile may be less deep than the others; zeros fill the rest.
    __device__ void copyFirst(int depth) const {
        int mCol = threadIdx.x % 8, nRow = threadIdx.x / nLanes;
        if (mMine)
#pragma unroll
            for (int c = 0; c < mCopies; ++c) {
                int pass = c / mHalves, half = c % mHalves;
                bool inside = mCol + half * 8 < depth;
                float* to = mTo + half * 8 * S::mdsStride + pass * mRowsAPass;
                __pipeline_memcpy_async(to, mFrom[pass] + (inside ? half * 8 : -mCol), 4,
                                        inside ? 0 : 4);
            }
        if (nMine)
#pragma unroll
            for (int c = 0; c < nDown * nAcross; ++c) {
                int row = c / nAcross * nRowsAPass, across = c % nAcross;
                bool inside = nRow + row < depth;
                const float* from =
                    nFrom[across] + static_cast<long long>(inside ? row : -nRow) * l;
                __pipeline_memcpy_async(nTo + row * S::cols + across * S::threads * S::copyWidth,
                                        from, 4 * S::copyWidth, inside ? 0 : 4 * S::copyWidth);
            }
    }

    __device__ void advance(int depth) {
#pragma unroll
        for (int pass = 0; pass < mPasses; ++pass) mFrom[pass] += depth;
#pragma unroll
        for (int pass = 0; pass < nAcross; ++pass) nFrom[pass] += static_cast<size_t>(depth) * l;
    }
};

// The place of a thread's sums in the block's tile: quads of four rows and of four columns.
template <class S>
struct Place {
    int ty, tx;

    __device__ Place() {
        constexpr int R = S::laneRows;
        int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        // Lanes in pairs, so that 16 bytes for each of 32 lanes take two passes instead of four.
        int rowLane = R == 4 ? lane / 16 * 2 + lane % 2 : R == 2 ? lane % 2 : lane / 2 % R;
        int colLane = R == 4   ? lane / 2 % 8
                      : R == 2 ? lane / 2
                      : R == 8 ? lane / 16 * 2 + lane % 2
                               : lane % 2;
        ty = warp % S::warpsDown * S::warpRows + rowLane * 4;
        tx = warp / S::warpsDown * S::warpCols + colLane * 4;
    }
    __device__ int row(int r) const { return ty + r / 4 * S::laneRows * 4 + r % 4; }
    __device__ int col(int c) const { return tx + c / 4 * S::laneCols * 4 + c % 4; }
};

// Adds the products of phases from to end - 1 to a thread's sums; all threads of the block call it.
// Phase 0 is the one that may be less deep, allPhases the number of them in a tile, at least 2.
// l: floats from a row of N to the next.
template <class S>
__device__ inline void multiplyPhases(const float* M, const float* N, int j, int k, int l,
                                      int tileRow, int tileCol, int from, int end, int allPhases,
                                      const Place<S>& place, float* shared,
                                      float (&Pvalue)[S::threadRows][S::threadCols]) {
    constexpr int Rows = S::threadRows, Cols = S::threadCols;
    int firstDepth = k - (allPhases - 1) * S::depth, phases = end - from;
    int done = from == 0 ? 0 : firstDepth + (from - 1) * S::depth;
    int depth = from == 0 ? firstDepth : S::depth;
    Copier<S> copier(M, N, j, k, l, tileRow, tileCol, done, shared);

    __align__(16) float m[2][Rows], n[2][Cols];
    auto loadStep = [&](int buffer, int stage, int i) {
        const float* Mds = shared + stage * S::stageSize + i * S::mdsStride + place.ty;
        const float* Nds = shared + stage * S::stageSize + S::mdsSize + i * S::cols + place.tx;
#pragma unroll
        for (int r = 0; r < Rows; r += 4) quad(m[buffer][r]) = quad(Mds[r * S::laneRows]);
#pragma unroll
        for (int c = 0; c < Cols; c += 4) quad(n[buffer][c]) = quad(Nds[c * S::laneCols]);
    };

    for (int ph = 0; ph < S::stages - 1; ++ph) {
        if (ph == 0) {
            copier.copyFirst(depth);
            copier.advance(from + 1 < allPhases ? depth : 0);
        } else if (ph < phases) {
            copier.copy(ph, 0, copier.copies);
            copier.advance(ph + 1 < phases ? S::depth : 0);
        }
        __pipeline_commit();
    }
    __pipeline_wait_prior(S::stages - 2);
    __syncthreads();
    loadStep(0, 0, 0);

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
            // After the last phase the copies repeat it, and no thread reads them, which is cheaper
            // than a condition.
            constexpr int kBetween = (S::depth - 2) / S::bursts;
            if (i % kBetween == 0 && i / kBetween < S::bursts)
                copier.copy(copyStage, i / kBetween * copier.copies / S::bursts,
                            (i / kBetween + 1) * copier.copies / S::bursts);
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
    // The repeated copies have arrived before the stages serve another tile.
    __pipeline_wait_prior(0);
    __syncthreads();
}

// Stores a block's sums. They go through shared memory, a row of each thread at a time, so that the
// lanes of a warp store neighbours, whatever the rows of P are aligned to. One by one: what moves
// 16 bytes would tie sums to neighbouring registers, as in rung 10.
template <class S>
__device__ inline void storeTile(float* P, int j, int l, int tileRow, int tileCol,
                                 const Place<S>& place, float* shared,
                                 const float (&Pvalue)[S::threadRows][S::threadCols]) {
    constexpr int kStride = S::warpCols + 1;  // so that the rows of a warp's lanes differ in bank
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int warpRow = warp % S::warpsDown * S::warpRows, warpCol = warp / S::warpsDown * S::warpCols;
    float* rows = shared + warp * S::laneRows * kStride;
    float* own = rows + (place.ty - warpRow) / 4 * kStride + place.tx - warpCol;
#pragma unroll
    for (int r = 0; r < S::threadRows; ++r) {
        __syncwarp();
#pragma unroll
        for (int c = 0; c < S::threadCols; ++c) own[place.col(c) - place.tx] = Pvalue[r][c];
        __syncwarp();
#pragma unroll
        for (int e = 0; e < S::threadCols; ++e) {
            int row = (e * 32 + lane) / S::warpCols, col = (e * 32 + lane) % S::warpCols;
            int Row = tileRow + warpRow + row * 4 + r / 4 * S::laneRows * 4 + r % 4;
            int Col = tileCol + warpCol + col;
            if (Row < j && Col < l)
                P[static_cast<size_t>(Row) * l + Col] = rows[row * kStride + col];
        }
    }
    __syncthreads();  // before the stages serve another tile
}
