// Declares the functions of registers.cu. M is j x k, N is k x l, P = M x N is j x l, all
// row-major; the pointers are host pointers.
#pragma once

using Multiply = void(const float* M, const float* N, float* P, int j, int k, int l);

Multiply plainMatrixMul;         // for comparison: one element of P per thread
Multiply columnMatrixMul;        // step 1: 8 elements of P per thread, in a column
Multiply registerTileMatrixMul;  // step 2: 8 x 8 elements of P per thread
Multiply vectorMatrixMul;        // step 3: the same, with float4; k and l are multiples of 4
