// A solution of lab 1 that measures and prints with the C++ library.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#define BLOCK_WIDTH 16

// Ends the program where a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    if (Row < Width && Col < Width) {
        float Pvalue = 0.0f;
        for (int k = 0; k < Width; ++k) {
            Pvalue += M[Row * Width + k] * N[k * Width + Col];
        }
        P[Row * Width + Col] = Pvalue;
    }
}

using Clock = std::chrono::steady_clock;

static std::map<int, std::string> names;

static void look(const float* M, int Width, Clock::time_point begin) {
    std::vector<float> sorted(M, M + Width);
    std::sort(sorted.begin(), sorted.end());
    std::mt19937 generator(1);
    std::uniform_int_distribution<int> any(0, Width - 1);
    std::ostringstream text;
    text << "Width " << Width << ", some element " << sorted[any(generator)];
    names[Width] = text.str() + ", text of " + std::to_string(text.str().size());
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    std::cout << names[Width] << ", " << seconds << " s" << std::endl;
}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    const auto begin = Clock::now();
    size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytes));
    CHECK(cudaMalloc(&d_N, bytes));
    CHECK(cudaMalloc(&d_P, bytes));

    CHECK(cudaMemcpy(d_M, M, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice));

    int blocks = (Width + BLOCK_WIDTH - 1) / BLOCK_WIDTH;
    dim3 dimGrid(blocks, blocks);
    dim3 dimBlock(BLOCK_WIDTH, BLOCK_WIDTH);
    matrixMulKernel<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));

    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
    look(M, Width, begin);
}
