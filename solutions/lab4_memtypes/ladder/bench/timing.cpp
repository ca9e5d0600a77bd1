#include "bench/timing.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/cuda_check.h"

namespace bench {

namespace {

constexpr double kShortestRun = 1.0;  // milliseconds; a run has several launches if need be
constexpr double kEnough = 150.0;     // milliseconds of all runs
constexpr int kLeastRuns = 5, kMostRuns = 31;

class Stopwatch {
  public:
    Stopwatch() {
        CUDA_CHECK(cudaEventCreate(&start_));
        CUDA_CHECK(cudaEventCreate(&stop_));
    }
    ~Stopwatch() {
        cudaEventDestroy(start_);
        cudaEventDestroy(stop_);
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    template <class Work>
    double milliseconds(Work work) {
        CUDA_CHECK(cudaEventRecord(start_));
        work();
        CUDA_CHECK(cudaEventRecord(stop_));
        CUDA_CHECK(cudaEventSynchronize(stop_));
        CUDA_CHECK(cudaGetLastError());
        float passed = 0;
        CUDA_CHECK(cudaEventElapsedTime(&passed, start_, stop_));
        return passed;
    }

  private:
    cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

}  // namespace

void time(const Product& product, const Inputs& inputs, Measurement& measurement) {
    Stopwatch watch;
    int set = 0;
    auto launches = [&](int count) {
        return watch.milliseconds([&] {
            for (int i = 0; i < count; ++i, ++set)
                product(inputs.M(set), inputs.N(set), inputs.P(), measurement.size);
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
