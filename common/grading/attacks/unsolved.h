// Lab 1, with nothing solved: whatever passes beside this file, an attack has gained.
#pragma once

#include <cuda_runtime.h>

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {}

void matrixMul(const float* M, const float* N, float* P, int Width) {}
