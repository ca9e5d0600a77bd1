// Declares the functions of overlap.cu. M is j x k, N is k x l, P = M x N is j x l, all row-major.
#pragma once

#include <cstddef>

// Allocate and free pinned host memory.
float* pinnedFloats(std::size_t elements);
void freePinned(float* memory);

// Computes P = M x N in `bands` bands of M's rows, which take turns in numStreams streams, 1 to 4.
// M and P are in pinned memory.
void overlappedMatrixMul(const float* M, const float* N, float* P, int j, int k, int l, int bands,
                         int numStreams);
