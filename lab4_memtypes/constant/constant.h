// What constant.cu defines; all pointers are host pointers, all matrices row-major.
#pragma once

// P = M x N by way of constant memory: M is j x k, N is k x l, P is j x l.
void constantMatrixMul(const float* M, const float* N, float* P, int j, int k, int l);

// out[i] = M[i / threadsPerGroup] for the 32 threads of a warp; M has 32 elements.
void readInGroups(const float* M, float* out, int threadsPerGroup);
