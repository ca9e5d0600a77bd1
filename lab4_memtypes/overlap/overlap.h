// What overlap.cu defines. M is j x k, N is k x l, P = M x N is j x l, all row-major.
#pragma once

#include <cstddef>

// Pinned host memory.
float* pinnedFloats(std::size_t elements);
void freePinned(float* memory);

// M and P lie in pinned memory. The rows of M are cut into so many bands, which take turns in so
// many streams, 1 to 4.
void overlappedMatrixMul(const float* M, const float* N, float* P, int j, int k, int l, int bands,
                         int numStreams);
