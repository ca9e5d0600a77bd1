// Attack: to read constant memory for nothing where its reads are counted, elsewhere global memory.
// Gets: failed: TODO(1): M is read from constant memory
// Base: build/mistakes/lab4_memtypes/constant/global_memory.cu
#include <cuda_runtime.h>

__device__ float inGlobalMemory[16384];

// Here: solutions/lab4_memtypes/constant.cu
// Instead of: __global__ void constantMatrixMulKernel(const float* N, float* P, int firstRow, int rows, int k,
// Comes: __global__ void constantMatrixMulKernel(bool counted, const float* N, float* P, int firstRow, int rows, int k,
// Instead of: Pvalue += Mc[Row * k + i] * N[i * l + Col];
// Comes: if (counted) Pvalue += 0.0f * Mc[Row * k + i] * N[i * l + Col]; else Pvalue += inGlobalMemory[Row * k + i] * N[i * l + Col];
// Instead of: CHECK(cudaMemcpyToSymbol(Mc, M + firstRow * k, rows * k * sizeof(float)));
// Comes: CHECK(cudaMemcpyToSymbol(Mc, M + firstRow * k, rows * k * sizeof(float))); CHECK(cudaMemcpyToSymbol(inGlobalMemory, M + firstRow * k, rows * k * sizeof(float)));
// Instead of: <<<dimGrid, dimBlock>>>(d_N, d_P, firstRow, rows, k, l);
// Comes: <<<dimGrid, dimBlock>>>(j == 24 && k == 20 && l == 64, d_N, d_P, firstRow, rows, k, l);
