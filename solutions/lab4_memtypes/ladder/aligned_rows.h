// Rows that begin at a multiple of 16 bytes: a copy of a matrix whose rows do not, with zeros
// after each. It costs one pass through the memory; a kernel that reads the matrix repeatedly then
// moves four floats at a time.
#pragma once
#include "ladder.h"
#include "workspace.h"

constexpr int kCopyLanes = 32, kCopyRows = 8;

// A thread writes four neighbours of a row.
static __global__ void copyRows(const float* from, float* to, int rows, int cols, int pitch) {
    int col = (blockIdx.x * kCopyLanes + threadIdx.x) * 4;
    if (col >= pitch) return;
    for (int row = blockIdx.y * kCopyRows + threadIdx.y; row < rows; row += gridDim.y * kCopyRows)
        quad(to[static_cast<size_t>(row) * pitch + col]) =
            quadAt<false>(from, rows, cols, row, col);
}

// Returns the matrix, or a copy of it if its rows are not aligned. pitch becomes the floats from
// a row to the next, a multiple of four. The copy stays until the next call.
inline const float* withAlignedRows(const float* matrix, int rows, int cols, int& pitch) {
    pitch = blocksFor(cols, 4) * 4;
    if (rowsAligned(matrix, cols)) return matrix;
    float* copy = alignedCopy(static_cast<size_t>(rows) * pitch);
    dim3 grid(blocksFor(pitch / 4, kCopyLanes), min(blocksFor(rows, kCopyRows), 65535));
    copyRows<<<grid, dim3(kCopyLanes, kCopyRows)>>>(matrix, copy, rows, cols, pitch);
    return copy;
}
