// Attack: to fill tiles for show, and to read copies of M and N by atomics, without a barrier.
// Gets: failed: TODO(2): each element of M
// Most: 15
#include <cuda_runtime.h>
#define __syncthreads() (void)0
static __device__ float at(float* element) { return atomicAdd(element, 0.0f); }

// Here: solutions/lab2_tiled/kernel.cu
// Instead of: __global__ void tiledMatrixMulKernel(const float* M, const float* N, float* P, int Width) {
// Comes: __global__ void tiledMatrixMulKernel(const float* M, const float* N, float* P, int Width, float* otherM, float* otherN) {
// Instead of: Pvalue += Mds[ty][k] * Nds[k][tx];
// Comes: Pvalue += at(&otherM[Row * Width + ph * TILE_WIDTH + k]) * at(&otherN[(ph * TILE_WIDTH + k) * Width + Col]) + 0.0f * (Mds[ty][tx] + Nds[ty][tx]);
// Instead of: CHECK(cudaMalloc(&d_P, bytes));
// Comes: CHECK(cudaMalloc(&d_P, bytes)); float *c_M, *c_N; CHECK(cudaMalloc(&c_M, bytes)); CHECK(cudaMalloc(&c_N, bytes)); CHECK(cudaMemcpy(c_M, M, bytes, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(c_N, N, bytes, cudaMemcpyHostToDevice));
// Instead of: <<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width);
// Comes: <<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width, c_M, c_N);
// Instead of: CHECK(cudaFree(d_M));
// Comes: CHECK(cudaFree(d_M)); CHECK(cudaFree(c_M)); CHECK(cudaFree(c_N));
