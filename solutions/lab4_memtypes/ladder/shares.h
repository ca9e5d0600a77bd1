// Rungs 11, 12 and 14: tiles that blocks share along k. The first tiles are shared: their phases,
// one tile after the other, are dealt to blocks in equal shares, so that a share may begin and end
// inside a tile. A block that has a part of a tile puts its sums into a workspace; when all of its
// own work is done, it waits for the other blocks of the tile and adds up its slice of the tile, in
// the order of k. So the same sums come out in every run. Tiles that are not shared go to the
// blocks in turn.
#pragma once
#include "aligned_rows.h"
#include "tiles.h"
#include "workspace.h"

struct Shares {
    int j, k, l, pitch;                     // pitch: floats from a row of N to the next
    int rowTiles, colTiles, tiles, phases;  // phases: of a tile
    int shared, sharers;                    // tiles, and blocks

    // Returns the first phase of a block's share. If the blocks are a multiple of the tiles, no
    // share reaches over the end of a tile.
    __host__ __device__ int start(int block) const {
        if (block >= sharers) return shared * phases;
        return static_cast<int>(static_cast<long long>(shared) * phases * block / sharers);
    }
    // Returns the last block that starts at a phase or before it.
    __host__ __device__ int blockOf(int phase) const {
        return static_cast<int>(((phase + 1LL) * sharers - 1) / (shared * phases));
    }
    __host__ __device__ static int min(int a, int b) { return a < b ? a : b; }
    // Neighbours in a band of eight rows of tiles run at the same time, and read the same elements.
    __device__ void cornerOf(int tile, int rows, int cols, int& tileRow, int& tileCol) const {
        constexpr int kBand = 8;
        int band = tile / (kBand * colTiles), in = tile - band * kBand * colTiles;
        int high = min(kBand, rowTiles - band * kBand);
        tileRow = (band * kBand + in % high) * rows;
        tileCol = in / high * cols;
    }
};

// Adds up quads begin to end - 1 of a thread's sums in a tile from count parts that are stride
// apart, AtOnce quads and Unrolled parts at a time, so that many loads are on their way.
template <class S, int AtOnce, int Unrolled>
__device__ inline void addSlice(float* P, int j, int l, int tileRow, int tileCol,
                                const Place<S>& place, const float4* first, const float4* others,
                                int count, int stride, int begin, int end) {
    for (int quads = begin; quads < end; quads += AtOnce) {
        float4 sum[AtOnce];
#pragma unroll
        for (int q = 0; q < AtOnce; ++q)
            sum[q] = __ldcg(&first[min(quads + q, end - 1) * S::threads]);
#pragma unroll Unrolled
        for (int part = 1; part < count; ++part) {
#pragma unroll
            for (int q = 0; q < AtOnce; ++q) {
                float4 next = __ldcg(&others[static_cast<size_t>(part) * stride +
                                             min(quads + q, end - 1) * S::threads]);
                sum[q].x += next.x, sum[q].y += next.y, sum[q].z += next.z, sum[q].w += next.w;
            }
        }
#pragma unroll
        for (int q = 0; q < AtOnce; ++q) {
            if (quads + q >= end) continue;
            int r = (quads + q) * 4 / S::threadCols, c = (quads + q) * 4 % S::threadCols;
            storeQuad<false>(P, j, l, tileRow + place.row(r), tileCol + place.col(c),
                             make_float4(sum[q].y, sum[q].x, sum[q].w, sum[q].z));
        }
    }
}

// Adds up a block's slices of the tiles of which it has a part.
template <class S>
__device__ inline void addParts(float* P, const Shares& shares, const float* parts, int* counters,
                                const Place<S>& place) {
    constexpr int kQuads = S::sums / 4, kTile = S::rows * S::cols / 4;
    int block = blockIdx.x;
    for (int at = shares.start(block); at < shares.start(block + 1);) {
        int tile = at / shares.phases, first = tile * shares.phases;
        int from = shares.blockOf(first);
        int count = shares.blockOf(first + shares.phases - 1) - from + 1;
        at = first + shares.phases;
        if (count == 1) continue;
        volatile int* arrived = &counters[2 * tile];
        if (threadIdx.x == 0) {
            while (*arrived != count) continue;
            __threadfence();
        }
        __syncthreads();
        // A block's first part is in its first half of the workspace, a second in the other. Only
        // the first of the tile's blocks may have begun with another tile.
        int half = shares.start(from) >= first ? 0 : 1;
        auto sums = reinterpret_cast<const float4*>(parts) + threadIdx.x;
        const float4* own = sums + static_cast<size_t>(2 * from + half) * kTile;
        const float4* others = sums + static_cast<size_t>(2 * from) * kTile;
        int begin = kQuads * (block - from) / count, end = kQuads * (block - from + 1) / count;
        int tileRow, tileCol;
        shares.cornerOf(tile, S::rows, S::cols, tileRow, tileCol);
        if (count <= 4)
            addSlice<S, 4, 1>(P, shares.j, shares.l, tileRow, tileCol, place, own, others, count,
                              2 * kTile, begin, end);
        else
            addSlice<S, 1, 8>(P, shares.j, shares.l, tileRow, tileCol, place, own, others, count,
                              2 * kTile, begin, end);
        __syncthreads();
        // The last block of the tile leaves its counters at zero.
        if (threadIdx.x == 0 && atomicAdd(&counters[2 * tile + 1], 1) == count - 1)
            counters[2 * tile] = counters[2 * tile + 1] = 0;
    }
}

// All blocks of the grid must fit the device at the same time if tiles are shared.
template <class S>
__global__ void __launch_bounds__(S::threads, S::blocksPerSM)
    sharesKernel(const float* M, const float* N, float* P, const __grid_constant__ Shares shares,
                 float* parts, int* counters) {
    extern __shared__ __align__(16) float shared[];
    constexpr int Rows = S::threadRows, Cols = S::threadCols;
    const Place<S> place;
    const int block = blockIdx.x, start = shares.start(block), end = shares.start(block + 1);
    bool hasPart = false;
    int at = start, next = shares.shared + block;
    while (at < end || next < shares.tiles) {
        int tile = next, from = 0, to = shares.phases;
        if (at < end) {
            tile = at / shares.phases;
            from = at - tile * shares.phases;
            to = min(shares.phases, from + end - at);
            at += to - from;
        } else {
            next += gridDim.x;
        }
        int tileRow, tileCol;
        shares.cornerOf(tile, S::rows, S::cols, tileRow, tileCol);
        float Pvalue[Rows][Cols] = {};
        multiplyPhases<S>(M, N, shares.j, shares.k, shares.pitch, tileRow, tileCol, from, to,
                          shares.phases, place, shared, Pvalue);
        if (to - from == shares.phases) {
            storeTile<S>(P, shares.j, shares.l, tileRow, tileCol, place, shared, Pvalue);
            continue;
        }
        size_t half = 2 * block + (start >= tile * shares.phases ? 0 : 1);
        float4* into = reinterpret_cast<float4*>(parts) + half * (S::rows * S::cols / 4);
        // Neighbours change places: a store of 16 bytes in order would tie each sum to a register
        // of the bank in which its value of N lies, as in rung 10.
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
#pragma unroll
            for (int c = 0; c < Cols; c += 4)
                into[(r * Cols + c) / 4 * S::threads + threadIdx.x] =
                    make_float4(Pvalue[r][c + 1], Pvalue[r][c], Pvalue[r][c + 3], Pvalue[r][c + 2]);
        }
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) atomicAdd(&counters[2 * tile], 1);
        hasPart = true;
    }
    if (hasPart) addParts<S>(P, shares, parts, counters, place);
}

// Returns how many blocks of a shape fit an SM; 0 if the device has too little shared memory.
template <class S>
int blocksThatFit() {
    static const int blocks = [] {
        int fit = 0;
        auto kernel = sharesKernel<S>;
        bool good = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         S::sharedBytes) == cudaSuccess &&
                    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, S::threads,
                                                                  S::sharedBytes) == cudaSuccess;
        cudaGetLastError();  // the answer is 0, not an error of the next launch
        return good ? fit : 0;
    }();
    return blocks;
}

// Launches blocks of a shape, of which sharers share the first tiles. k: more than a phase.
template <class S>
void launchShares(const float* M, const float* N, float* P, int j, int k, int l, int blocks,
                  int shared, int sharers) {
    int rowTiles = blocksFor(j, S::rows), colTiles = blocksFor(l, S::cols);
    int phases = blocksFor(k, S::depth);
    int pitch = l;
    if (S::copyWidth > 1) N = withAlignedRows(N, k, l, pitch);
    sharers = Shares::min(sharers, shared * phases);
    Shares shares = {j,      k,      l,      pitch, rowTiles, colTiles, rowTiles * colTiles,
                     phases, shared, sharers};
    Workspace space = {nullptr, nullptr};
    if (shared > 0) space = workspace(2ull * S::rows * S::cols * sharers, 2ull * shared);
    blocksThatFit<S>();  // also asks for more than 48 KB of shared memory
    sharesKernel<S>
        <<<blocks, S::threads, S::sharedBytes>>>(M, N, P, shares, space.parts, space.counters);
}
