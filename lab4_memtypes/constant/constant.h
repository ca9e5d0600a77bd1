// Declares the functions of constant.cu; all pointers are host pointers, all matrices row-major.
#pragma once

// Computes P = M x N through constant memory: M is j x k, N is k x l, P is j x l.
void constantMatrixMul(const float* M, const float* N, float* P, int j, int k, int l);

// Computes out[i] = M[i / threadsPerGroup] for the 32 threads of a warp; M has 32 elements.
void readInGroups(const float* M, float* out, int threadsPerGroup);
