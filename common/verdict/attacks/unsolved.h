// Lab 1 with nothing solved: what passes beside this file is an attack's gain.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {}

void matrixMul(const float* M, const float* N, float* P, int Width) {}

// What follows in braces runs before the tests begin.
#define AT_START                  \
    static void atStart();        \
    static const struct AtStart { \
        AtStart() { atStart(); }  \
    } started;                    \
    static void atStart()
