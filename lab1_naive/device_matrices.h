// Gives the tests device memory of their own, so that they judge the kernel before the host side.
#pragma once

#include <cuda_runtime.h>

#include "lab1_naive/lab1.h"
#include "matrix/compare.h"
#include "matrix/matrix.h"

// Launches only the kernel, on M and N, with this configuration; returns P. Elements that the
// kernel does not write are poison.
inline matrix::Matrix launchKernel(const matrix::Matrix& M, const matrix::Matrix& N, dim3 grid,
                                   dim3 block) {
    const int Width = M.rows();
    matrix::Matrix P = matrix::poisoned(Width, Width);
    const std::size_t bytes = M.size() * sizeof(float);
    float *d_M = nullptr, *d_N = nullptr, *d_P = nullptr;
    cudaMalloc(&d_M, bytes);
    cudaMalloc(&d_N, bytes);
    cudaMalloc(&d_P, bytes);
    cudaMemcpy(d_M, M.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_N, N.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_P, P.data(), bytes, cudaMemcpyHostToDevice);
    const float *kM = d_M, *kN = d_N;
    int kWidth = Width;
    void* arguments[] = {&kM, &kN, &d_P, &kWidth};
    cudaLaunchKernel(matrixMulKernel, grid, block, arguments, 0, nullptr);
    cudaGetLastError();
    cudaMemcpy(P.data(), d_P, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_M);
    cudaFree(d_N);
    cudaFree(d_P);
    return P;
}

// Returns the smallest grid that covers a Width x Width matrix.
inline dim3 gridFor(int Width, dim3 block) {
    const unsigned width = static_cast<unsigned>(Width);
    return dim3((width + block.x - 1) / block.x, (width + block.y - 1) / block.y);
}
