#include "bench/timing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bench/random.h"

namespace bench {

namespace {

constexpr int kMostSets = 256;
constexpr double kShortestRun = 1.0;  // milliseconds; a run has several launches if need be
constexpr double kEnough = 60.0;      // milliseconds of all runs
constexpr int kLeastRuns = 3, kMostRuns = 31;

__global__ void fill(float* values, std::size_t count, std::uint32_t seed) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        values[i] = static_cast<float>(static_cast<std::int32_t>(scramble(i, seed))) * 0x1p-31f;
}

DeviceArray<float> randomMatrix(std::size_t count, std::uint32_t seed) {
    DeviceArray<float> values = deviceArray<float>(count);
    fillFractions(values.get(), count, seed);
    return values;
}

cudaEvent_t newEvent() {
    cudaEvent_t event = nullptr;
    CUDA_CHECK(cudaEventCreate(&event));
    return event;
}

}  // namespace

void fillFractions(float* values, std::size_t count, std::uint32_t seed) {
    fill<<<1024, 256>>>(values, count, seed);
    CUDA_CHECK(cudaGetLastError());
}

double timed(const std::function<void()>& work) {
    static const cudaEvent_t start = newEvent(), stop = newEvent();
    CUDA_CHECK(cudaEventRecord(start));
    work();
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    CUDA_CHECK(cudaGetLastError());
    float passed = 0;
    CUDA_CHECK(cudaEventElapsedTime(&passed, start, stop));
    return passed;
}

Inputs::Inputs(Size size, double leastBytes)
    : P(deviceArray<float>(static_cast<std::size_t>(size.j) * size.l)) {
    const std::size_t mCount = static_cast<std::size_t>(size.j) * size.k;
    const std::size_t nCount = static_cast<std::size_t>(size.k) * size.l;
    const double bytes = static_cast<double>(mCount + nCount) * sizeof(float);
    const int count = std::clamp(static_cast<int>(std::ceil(leastBytes / bytes)), 2, kMostSets);
    for (int set = 0; set < count; ++set)
        sets.push_back({randomMatrix(mCount, 2 * set + 1), randomMatrix(nCount, 2 * set + 2)});
    CUDA_CHECK(cudaDeviceSynchronize());
}

void time(const Product& product, const Inputs& inputs, Measurement& measurement) {
    std::size_t launched = 0;
    auto launches = [&](int count) {
        return timed([&] {
            for (int i = 0; i < count; ++i) {
                const Inputs::Set& set = inputs.sets[launched++ % inputs.sets.size()];
                product(set.M.get(), set.N.get(), inputs.P.get(), measurement.size);
            }
        });
    };
    launches(1);  // warm-up: the first launch loads the kernel's code
    const double one = launches(1);
    const int batch = std::max(1, static_cast<int>(std::ceil(kShortestRun / one)));
    const int runs = std::clamp(static_cast<int>(kEnough / (one * batch)), kLeastRuns, kMostRuns);
    std::vector<double> times;
    for (int i = 0; i < runs; ++i) times.push_back(launches(batch) / batch);
    std::sort(times.begin(), times.end());
    measurement.runs = runs;
    measurement.milliseconds = (times[(runs - 1) / 2] + times[runs / 2]) / 2;
    const int tenth = runs / 10;
    measurement.spread = (times[runs - 1 - tenth] - times[tenth]) / measurement.milliseconds;
}

}  // namespace bench
