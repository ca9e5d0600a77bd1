// Declares the kernels' callers in given.cu; all pointers are host pointers.
#pragma once

namespace given {

// Transposes A, BLOCK_WIDTH x BLOCK_WIDTH, in place, unless a race spoils it.
void transpose(float* A, int BLOCK_WIDTH);

// Fills out, 32 elements, by way of a column of a shared array.
void column(float* out, int rowWords);

}  // namespace given
