// What given.cu defines; all pointers are host pointers.
#pragma once

namespace given {

// in and out are size x size; out are sums over the neighbours, not divided by their number.
void blur(const float* in, float* out, int size);

// C = A + B, blocks x threads elements each.
void add(const float* A, const float* B, float* C, int blocks, int threads);

}  // namespace given
