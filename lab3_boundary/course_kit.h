// For teachers: defines boundedMatrixMul for kernels with the signature of common course kits,
//   __global__ void matrixMultiplyShared(float* A, float* B, float* C, int numARows,
//       int numAColumns, int numBRows, int numBColumns, int numCRows, int numCColumns);
// A file of two lines lets the tests of this lab judge such a kernel unchanged:
//   #include "their_kernel.cu"
//   #include "course_kit.h"
// The kernel's file must not define main. If its tile has another name than TILE_WIDTH, a third
// line between the two gives it: #define TILE_WIDTH TILE_SIZE
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#ifndef TILE_WIDTH
#define TILE_WIDTH 16
#endif

namespace course_kit {

inline void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

inline float* onDevice(const float* values, size_t bytes) {
    float* copy = nullptr;
    check(cudaMalloc(&copy, bytes), "cudaMalloc");
    if (values) check(cudaMemcpy(copy, values, bytes, cudaMemcpyHostToDevice), "copy in");
    return copy;
}

}  // namespace course_kit

void boundedMatrixMul(const float* M, const float* N, float* P, int j, int k, int l) {
    const size_t bytesP = static_cast<size_t>(j) * l * sizeof(float);
    float* A = course_kit::onDevice(M, static_cast<size_t>(j) * k * sizeof(float));
    float* B = course_kit::onDevice(N, static_cast<size_t>(k) * l * sizeof(float));
    float* C = course_kit::onDevice(nullptr, bytesP);

    const dim3 dimGrid((l - 1) / TILE_WIDTH + 1, (j - 1) / TILE_WIDTH + 1);
    const dim3 dimBlock(TILE_WIDTH, TILE_WIDTH);
    void* arguments[] = {&A, &B, &C, &j, &k, &k, &l, &j, &l};
    course_kit::check(
        cudaLaunchKernel(matrixMultiplyShared, dimGrid, dimBlock, arguments, 0, nullptr),
        "matrixMultiplyShared");
    course_kit::check(cudaGetLastError(), "matrixMultiplyShared");

    course_kit::check(cudaMemcpy(P, C, bytesP, cudaMemcpyDeviceToHost), "copy out");
    course_kit::check(cudaFree(A), "cudaFree");
    course_kit::check(cudaFree(B), "cudaFree");
    course_kit::check(cudaFree(C), "cudaFree");
}
