// Declares the kernels' callers in given.cu; all pointers are host pointers.
#pragma once

namespace given {

// Sums the neighbours of each element of in, undivided; in and out are size x size.
void blur(const float* in, float* out, int size);

// Computes C = A + B, blocks x threads elements each.
void add(const float* A, const float* B, float* C, int blocks, int threads);

}  // namespace given
