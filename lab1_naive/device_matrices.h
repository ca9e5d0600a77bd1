// Gives the tests device memory of their own, so that they judge the kernel before the host side.
#pragma once

#include <cuda_runtime.h>

#include "lab1_naive/grid.h"
#include "lab1_naive/lab1.h"
#include "matrix/compare.h"
#include "testing/lab.h"

// Launches only the kernel, on M and N; returns P. Elements that the kernel does not write are
// poison.
inline matrix::Matrix launchKernel(const matrix::Matrix& M, const matrix::Matrix& N, dim3 block,
                                   dim3 grid) {
    int Width = M.rows();
    matrix::Matrix P = matrix::poisoned(Width, Width);
    const std::size_t bytes = P.size() * sizeof(float);
    float *d_M = nullptr, *d_N = nullptr, *d_P = nullptr;
    cudaMalloc(&d_M, bytes);
    cudaMalloc(&d_N, bytes);
    cudaMalloc(&d_P, bytes);
    cudaMemcpy(d_M, M.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_N, N.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_P, P.data(), bytes, cudaMemcpyHostToDevice);
    void* arguments[] = {&d_M, &d_N, &d_P, &Width};
    cudaLaunchKernel(matrixMulKernel, grid, block, arguments, 0, nullptr);
    cudaGetLastError();
    cudaMemcpy(P.data(), d_P, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_M);
    cudaFree(d_N);
    cudaFree(d_P);
    return P;
}

// Does so with the smallest grid of these blocks that covers P.
inline matrix::Matrix launchKernel(const matrix::Matrix& M, const matrix::Matrix& N, dim3 block) {
    return launchKernel(M, N, block, gridFor(M.rows(), M.rows(), block));
}

// Does so in a call of its own, as lab::run does.
inline lab::ProductRun runKernel(const lab::Text& about, const matrix::DataSet& set, dim3 block) {
    lab::ProductRun run{set, matrix::poisoned(set.spec.j, set.spec.l)};
    lab::run(about, lab::gives(run.P).from(run.set.M, run.set.N),
             [&] { run.P = launchKernel(run.set.M, run.set.N, block); });
    return run;
}
