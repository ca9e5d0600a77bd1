#include "bench/pool.h"

#include <algorithm>
#include <cmath>

#include "bench/random.h"

namespace bench {

namespace {

constexpr std::size_t kLeastFloats = std::size_t{1} << 27;  // 512 MB, several L2 caches
constexpr std::size_t kBlock = 64;                          // floats in 256 bytes

std::size_t rounded(std::size_t floats) { return (floats + kBlock - 1) / kBlock * kBlock; }
std::size_t mFloats(Size size) { return rounded(static_cast<std::size_t>(size.j) * size.k); }
std::size_t nFloats(Size size) { return rounded(static_cast<std::size_t>(size.k) * size.l); }

__global__ void wholeNumbers(float* values, std::size_t count) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        values[i] = static_cast<float>(static_cast<int>(scramble(i, 5) % 9) - 4);
}

}  // namespace

Pool::Pool(std::size_t floats)
    : floats_(std::max(floats, kLeastFloats)), values_(deviceArray<float>(floats_)) {}

void Pool::fillWholeNumbers() {
    wholeNumbers<<<1024, 256>>>(values_.get(), floats_);
    CUDA_CHECK(cudaGetLastError());
}

void Pool::fillFractions() { bench::fillFractions(values_.get(), floats_, 1); }

const float* Pool::M(Size size, std::size_t set) const {
    return values_.get() + set * floatsOf(size);
}

const float* Pool::N(Size size, std::size_t set) const { return M(size, set) + mFloats(size); }

std::size_t Pool::sets(Size size, double leastBytes) const {
    const double bytes = static_cast<double>(floatsOf(size)) * sizeof(float);
    const auto enough = static_cast<std::size_t>(std::ceil(leastBytes / bytes)) + 1;
    return std::min(enough, floats_ / floatsOf(size));
}

std::size_t Pool::floatsOf(Size size) { return mFloats(size) + nFloats(size); }

}  // namespace bench
