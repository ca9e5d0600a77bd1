// Two kernels that the questions are about. They are complete.
#include "given.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

// Replaces each pixel by the sum of itself and the pixels around it, which are fewer at the edges.
// A real blur also divides by their number. Each thread computes one column.
__global__ void blurKernel(const float* in, float* out, int size) {
    int col = threadIdx.x;
    for (int row = 0; row < size; ++row) {
        float sum = 0.0f;
        for (int r = max(row - 1, 0); r <= min(row + 1, size - 1); ++r) {
            for (int c = max(col - 1, 0); c <= min(col + 1, size - 1); ++c) {
                sum += in[r * size + c];
            }
        }
        out[row * size + col] = sum;
    }
}

// Adds two matrices. In memory a matrix is one long row of floats, so one index is enough.
__global__ void addKernel(const float* A, const float* B, float* C) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    C[i] = A[i] + B[i];
}

static float* toDevice(const float* host, size_t elements) {
    float* device;
    CHECK(cudaMalloc(&device, elements * sizeof(float)));
    CHECK(cudaMemcpy(device, host, elements * sizeof(float), cudaMemcpyHostToDevice));
    return device;
}

static void toHost(float* host, float* device, size_t elements) {
    CHECK(cudaMemcpy(host, device, elements * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
}

void given::blur(const float* in, float* out, int size) {
    size_t elements = static_cast<size_t>(size) * size;
    float *d_in = toDevice(in, elements), *d_out = toDevice(out, elements);
    blurKernel<<<1, size>>>(d_in, d_out, size);
    CHECK(cudaGetLastError());
    toHost(out, d_out, elements);
    CHECK(cudaFree(d_in));
}

void given::add(const float* A, const float* B, float* C, int blocks, int threads) {
    size_t elements = static_cast<size_t>(blocks) * threads;
    float *d_A = toDevice(A, elements), *d_B = toDevice(B, elements), *d_C = toDevice(C, elements);
    addKernel<<<blocks, threads>>>(d_A, d_B, d_C);
    CHECK(cudaGetLastError());
    toHost(C, d_C, elements);
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
}
