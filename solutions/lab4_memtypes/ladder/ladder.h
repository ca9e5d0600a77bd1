// Shared by the rungs of the ladder: one signature, and access to matrices whose last tiles reach
// over the edge.
#pragma once
#include <cuda_runtime.h>

// Computes P = M x N in device memory, all row-major: M is j x k, N is k x l, P is j x l.
using Launcher = void (*)(const float* M, const float* N, float* P, int j, int k, int l);

// The part of P that a block computes from one load of its rows of M and columns of N; it decides
// the traffic that a rung requests.
struct Tile {
    int rows, cols;
};

template <int Rows, int Cols>
Tile always(int /*j*/, int /*l*/) {
    return {Rows, Cols};
}

struct Rung {
    const char* name;  // of the rung's file
    Launcher launch;
    Tile (*tile)(int j, int l);
};

extern const Rung naiveUncoalesced, naive, tiled, registerTile1d, registerTile2d, vectorLoads,
    warpTile, doubleBuffer, asyncCopies, tuned, splitK, streamK, fewRows, chosen;

inline int blocksFor(int length, int tile) { return (length + tile - 1) / tile; }

// Tells whether every row begins at a multiple of 16 bytes, so that 16 bytes can be moved at
// once.
inline bool rowsAligned(const void* matrix, int cols) {
    return cols % 4 == 0 && reinterpret_cast<size_t>(matrix) % 16 == 0;
}

// Returns an element of a matrix; outside of it zero, which adds nothing to a sum.
__device__ inline float at(const float* A, int rows, int cols, int row, int col) {
    return row < rows && col < cols ? A[static_cast<size_t>(row) * cols + col] : 0.0f;
}

// Return four neighbouring floats as one access of 16 bytes.
__device__ inline float4& quad(float& first) { return reinterpret_cast<float4&>(first); }
__device__ inline const float4& quad(const float& first) {
    return reinterpret_cast<const float4&>(first);
}

// Returns four elements of a row as at() does; one load if the rows are aligned.
template <bool Aligned>
__device__ inline float4 quadAt(const float* A, int rows, int cols, int row, int col) {
    if (!Aligned)
        return make_float4(at(A, rows, cols, row, col), at(A, rows, cols, row, col + 1),
                           at(A, rows, cols, row, col + 2), at(A, rows, cols, row, col + 3));
    if (row >= rows || col >= cols) return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    return quad(A[static_cast<size_t>(row) * cols + col]);
}

// Stores those of the four that are inside the matrix.
template <bool Aligned>
__device__ inline void storeQuad(float* A, int rows, int cols, int row, int col, float4 value) {
    if (row >= rows || col >= cols) return;
    float* first = A + static_cast<size_t>(row) * cols + col;
    if (Aligned) {
        quad(*first) = value;
        return;
    }
    first[0] = value.x;
    if (col + 1 < cols) first[1] = value.y;
    if (col + 2 < cols) first[2] = value.z;
    if (col + 3 < cols) first[3] = value.w;
}

// Stores a thread's 8 x 8 sums; the second four rows are RowStep after the first four,
// and the second four columns ColStep.
template <bool Aligned, int RowStep, int ColStep>
__device__ inline void storeQuads(float* P, int j, int l, int Row, int Col,
                                  const float (&Pvalue)[8][8]) {
#pragma unroll
    for (int r = 0; r < 8; ++r) {
#pragma unroll
        for (int c = 0; c < 8; c += 4)
            storeQuad<Aligned>(
                P, j, l, Row + r / 4 * RowStep + r % 4, Col + c / 4 * ColStep,
                make_float4(Pvalue[r][c], Pvalue[r][c + 1], Pvalue[r][c + 2], Pvalue[r][c + 3]));
    }
}

// One step of the inner products of a thread's tile: a column of M's values times a row of N's.
template <int Rows, int Cols>
__device__ inline void multiplyAdd(const float (&m)[Rows], const float (&n)[Cols],
                                   float (&Pvalue)[Rows][Cols]) {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
#pragma unroll
        for (int c = 0; c < Cols; ++c) Pvalue[r][c] = fmaf(m[r], n[c], Pvalue[r][c]);
    }
}
