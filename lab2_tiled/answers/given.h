// What given.cu defines; all pointers are host pointers.
#pragma once

namespace given {

// A is BLOCK_WIDTH x BLOCK_WIDTH, and transposed in place, perhaps.
void transpose(float* A, int BLOCK_WIDTH);

// out has 32 elements, which come by way of a column of a shared array.
void column(float* out, int rowWords);

}  // namespace given
