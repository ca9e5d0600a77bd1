// Measures the cases on a card.
//     measured TIMES.csv    writes a row per case: lab,kernel,size,microseconds
//     measured once         launches each case once, for a profiler
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "solutions/lab4_memtypes/ladder/bench/device.h"
#include "solutions/model/cases.h"

namespace {

constexpr std::size_t kPool = std::size_t{1} << 28;  // floats; one pool for inputs, one for outputs
constexpr double kTimesL2 = 4;  // size of the sets of matrices over the L2, so that they miss it
constexpr int kMostSets = 256;
constexpr double kShortestRun = 1, kEnough = 60;  // milliseconds, of a run and of all runs
constexpr int kLeastRuns = 3, kMostRuns = 21;

// Fills values evenly from -1 to 1, by MurmurHash3's finalizer on the index.
__global__ void fillKernel(float* values) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < kPool; i += step) {
        unsigned x = static_cast<unsigned>(i) * 2654435761u + 1;
        x = (x ^ (x >> 16)) * 0x85ebca6bu;
        x = (x ^ (x >> 13)) * 0xc2b2ae35u;
        x ^= x >> 16;
        values[i] = static_cast<float>(static_cast<int>(x)) * 0x1p-31f;
    }
}

__global__ void emptyKernel() {}

// Sizes in whole lines of the cache, so that every matrix begins at one.
std::size_t rounded(std::size_t floats) { return (floats + 63) / 64 * 64; }

struct Pools {
    bench::DeviceArray<float> inputs = bench::deviceArray<float>(kPool);
    bench::DeviceArray<float> outputs = bench::deviceArray<float>(kPool);

    Pools() {
        fillKernel<<<1024, 256>>>(inputs.get());
        CUDA_CHECK(cudaMemset(outputs.get(), 0, kPool * sizeof(float)));
        CUDA_CHECK(cudaDeviceSynchronize());
    }
};

// Launches a case on one set of matrices after the other.
class Launches {
  public:
    Launches(const model::Case& one, const Pools& pools, double l2Bytes)
        : one_(one),
          pools_(pools),
          first_(rounded(one.inputs[0])),
          inputs_(first_ + rounded(one.inputs[1])),
          output_(rounded(one.output)) {
        const double bytes = sizeof(float) * static_cast<double>(inputs_ + output_);
        const std::size_t most = kPool / std::max<std::size_t>(64, std::max(inputs_, output_));
        sets_ = std::min<std::size_t>(
            {most, kMostSets,
             static_cast<std::size_t>(kTimesL2 * l2Bytes / std::max(256.0, bytes)) + 1});
    }
    void next() {
        const std::size_t set = launched_++ % sets_;
        const float* A = pools_.inputs.get() + set * inputs_;
        one_.launch(A, A + first_, pools_.outputs.get() + set * output_);
    }

  private:
    const model::Case& one_;
    const Pools& pools_;
    std::size_t first_, inputs_, output_, sets_ = 1, launched_ = 0;
};

template <class Work>
double milliseconds(Work work) {
    static cudaEvent_t start = nullptr, stop = nullptr;
    if (!start) {
        CUDA_CHECK(cudaEventCreate(&start));
        CUDA_CHECK(cudaEventCreate(&stop));
    }
    CUDA_CHECK(cudaEventRecord(start));
    work();
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float passed = 0;
    CUDA_CHECK(cudaEventElapsedTime(&passed, start, stop));
    return passed;
}

// Returns the median time of a launch in microseconds; launches of a run follow each other closely.
template <class Launch>
double median(Launch launch) {
    const auto several = [&](int count) {
        return milliseconds([&] {
            for (int i = 0; i < count; ++i) launch();
        });
    };
    several(2);  // warm-up: the first launch loads the kernel's code
    const double one = std::max(1e-3, several(1));
    const int batch = std::max(1, static_cast<int>(kShortestRun / one));
    const int runs = std::clamp(static_cast<int>(kEnough / (one * batch)), kLeastRuns, kMostRuns);
    std::vector<double> times;
    for (int i = 0; i < runs; ++i) times.push_back(several(batch) / batch);
    std::sort(times.begin(), times.end());
    return 500 * (times[(runs - 1) / 2] + times[runs / 2]);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "Use: measured TIMES.csv, or measured once\n");
        return 2;
    }
    int l2Bytes = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&l2Bytes, cudaDevAttrL2CacheSize, 0));
    const Pools pools;
    const std::vector<model::Case> all = model::cases();
    if (!std::strcmp(argv[1], "once")) {
        for (const model::Case& one : all) Launches(one, pools, l2Bytes).next();
        CUDA_CHECK(cudaDeviceSynchronize());
        return 0;
    }
    std::FILE* out = std::fopen(argv[1], "w");
    endUnless(out, "the file of times cannot be written", __FILE__, __LINE__);
    std::fprintf(out, "lab,kernel,size,microseconds\n");
    std::fprintf(out, "card,empty,one thread,%.3f\n", median([] { emptyKernel<<<1, 1>>>(); }));
    for (const model::Case& one : all) {
        Launches launches(one, pools, l2Bytes);
        const double time = median([&] { launches.next(); });
        std::fprintf(out, "%s,\"%s\",%s,%.3f\n", one.lab.c_str(), one.kernel.c_str(),
                     one.size.c_str(), time);
        std::fflush(out);
    }
    return std::fclose(out) ? 2 : 0;
}
