// Measures rung 10 as it is or with a patch: prints GFLOP/s for each given length of square
// matrices, the median of nine launches. Ends with status 1 if a product is wrong.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "bench/device.h"
#include "ladder.h"

namespace {

// Whole numbers, of which sums are exact.
__global__ void fill(float* numbers, int count, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) numbers[i] = static_cast<float>(i % 1013 * step % 11 - 5);
}

__global__ void countDifferences(const float* a, const float* b, int count, int* different) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && a[i] != b[i]) atomicAdd(different, 1);
}

// Returns GFLOP/s; 0 if the product is not that of rung 9.
double measure(int length) {
    int count = length * length, blocks = blocksFor(count, 256);
    auto M = bench::deviceArray<float>(count), N = bench::deviceArray<float>(count);
    auto P = bench::deviceArray<float>(count), other = bench::deviceArray<float>(count);
    fill<<<blocks, 256>>>(M.get(), count, 7);
    fill<<<blocks, 256>>>(N.get(), count, 5);
    asyncCopies.launch(M.get(), N.get(), other.get(), length, length, length);
    cudaEvent_t begin, end;
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    std::vector<float> times(9);
    for (float& time : times) {
        CUDA_CHECK(cudaEventRecord(begin));
        tuned.launch(M.get(), N.get(), P.get(), length, length, length);
        CUDA_CHECK(cudaEventRecord(end));
        CUDA_CHECK(cudaEventSynchronize(end));
        CUDA_CHECK(cudaEventElapsedTime(&time, begin, end));
    }
    auto different = bench::deviceArray<int>(1);
    int wrong = 0;
    CUDA_CHECK(cudaMemset(different.get(), 0, sizeof wrong));
    countDifferences<<<blocks, 256>>>(P.get(), other.get(), count, different.get());
    CUDA_CHECK(cudaMemcpy(&wrong, different.get(), sizeof wrong, cudaMemcpyDeviceToHost));
    std::sort(times.begin(), times.end());
    return wrong ? 0 : 2e-6 * length * length * length / times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    bool good = true;
    for (int i = 1; i < argc; ++i) {
        double rate = measure(std::atoi(argv[i]));
        good = good && rate > 0;
        std::printf("%.0f\n", rate);
    }
    return good ? 0 : 1;
}
