// Declares the function of padding.cu. M is j x k, N is k x l, P is j x l, all row-major; the
// pointers are host pointers.
#pragma once

void boundedMatrixMulPadded(const float* M, const float* N, float* P, int j, int k, int l);
