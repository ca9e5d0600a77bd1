#include "bench/inputs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bench/cuda_check.h"

namespace bench {

namespace {

constexpr int kMostSets = 256;

// Fills values evenly from -1 to 1, by MurmurHash3's finalizer on the index.
__global__ void fill(float* values, std::size_t count, std::uint32_t seed) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        std::uint32_t x = static_cast<std::uint32_t>(i) * 2654435761u + seed;
        x = (x ^ (x >> 16)) * 0x85ebca6bu;
        x = (x ^ (x >> 13)) * 0xc2b2ae35u;
        x ^= x >> 16;
        values[i] = static_cast<float>(static_cast<std::int32_t>(x)) * 0x1p-31f;
    }
}

float* randomMatrix(std::size_t count, std::uint32_t seed) {
    float* values = nullptr;
    CUDA_CHECK(cudaMalloc(&values, count * sizeof(float)));
    fill<<<1024, 256>>>(values, count, seed);
    CUDA_CHECK(cudaGetLastError());
    return values;
}

}  // namespace

Inputs::Inputs(Size size, double leastBytes) {
    const std::size_t mCount = static_cast<std::size_t>(size.j) * size.k;
    const std::size_t nCount = static_cast<std::size_t>(size.k) * size.l;
    const double bytes = static_cast<double>(mCount + nCount) * sizeof(float);
    const int count = std::clamp(static_cast<int>(std::ceil(leastBytes / bytes)), 2, kMostSets);
    for (int set = 0; set < count; ++set)
        sets_.push_back({randomMatrix(mCount, 2 * set + 1), randomMatrix(nCount, 2 * set + 2)});
    CUDA_CHECK(cudaMalloc(&P_, static_cast<std::size_t>(size.j) * size.l * sizeof(float)));
    CUDA_CHECK(cudaDeviceSynchronize());
}

Inputs::~Inputs() {
    for (const Set& set : sets_) {
        cudaFree(set.M);
        cudaFree(set.N);
    }
    cudaFree(P_);
}

}  // namespace bench
