#include "bench/shapes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "bench/pool.h"
#include "bench/reference.h"

namespace bench {

namespace {

constexpr double kShortestRun = 0.5;  // milliseconds; a run has several launches if need be
constexpr double kEnough = 12.0;      // milliseconds of all runs of a kernel
constexpr int kLeastRuns = 5, kMostRuns = 25;
constexpr double kTimesL2 = 4;  // size of all inputs over the L2, so that they miss it

struct Clock {
    long long cycles, nanoseconds;
};

// Multiply-adds whose operands are all in registers; the first thread records the clock.
constexpr int kSums = 32, kUnrolled = 8;
__global__ void registersOnly(float* out, float factor, int rounds, Clock* clock) {
    float sums[kSums];
    for (int i = 0; i < kSums; ++i) sums[i] = i + threadIdx.x;
    const float summand = factor * 0.5f;
    long long cycles = clock64(), time = 0, end = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int u = 0; u < kUnrolled; ++u) {
#pragma unroll
            for (int i = 0; i < kSums; ++i) sums[i] = fmaf(sums[i], factor, summand);
        }
    }
    float sum = 0;
    for (int i = 0; i < kSums; ++i) sum += sums[i];
    if (sum == 12345.0f) *out = sum;  // almost never, but the compiler does not know that
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
    if (blockIdx.x == 0 && threadIdx.x == 0) *clock = {clock64() - cycles, end - time};
}

class LimitMeter {
  public:
    LimitMeter() : clock_(deviceArray<Clock>(1)), out_(deviceArray<float>(1)) {
        cudaDeviceProp properties;
        CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
        sms_ = properties.multiProcessorCount;
        run(1000);  // warm-up
    }
    // Records the clock, and the rate if the run is long.
    void run(int rounds) {
        constexpr int kThreads = 512, kBlocksPerSM = 2;
        const double milliseconds = timed([&] {
            registersOnly<<<sms_ * kBlocksPerSM, kThreads>>>(out_.get(), 0.999f, rounds,
                                                             clock_.get());
        });
        Clock clock;
        CUDA_CHECK(cudaMemcpy(&clock, clock_.get(), sizeof clock, cudaMemcpyDeviceToHost));
        const double megahertz = 1e3 * clock.cycles / clock.nanoseconds;
        if (rounds < kLong) return;
        const double operations =
            2.0 * sms_ * kBlocksPerSM * kThreads * kSums * kUnrolled * static_cast<double>(rounds);
        limit.gigaflops = std::max(limit.gigaflops, operations / milliseconds * 1e-6);
        limit.lowestMegahertz = std::min(limit.lowestMegahertz, megahertz);
        limit.highestMegahertz = std::max(limit.highestMegahertz, megahertz);
    }
    static constexpr int kLong = 2000;
    Limit limit = {0, 1e9, 0};

  private:
    DeviceArray<Clock> clock_;
    DeviceArray<float> out_;
    int sms_;
};

__global__ void countDifferences(const float* a, const float* b, std::size_t count,
                                 unsigned long long* different) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count;
         i += step)
        if (__float_as_uint(a[i]) != __float_as_uint(b[i])) atomicAdd(different, 1ull);
}

// Ends the program unless both arrays are equal bit for bit.
void endUnlessEqual(const float* a, const float* b, Size size, const char* what) {
    static const DeviceArray<unsigned long long> different = deviceArray<unsigned long long>(1);
    CUDA_CHECK(cudaMemset(different.get(), 0, sizeof(unsigned long long)));
    countDifferences<<<512, 256>>>(a, b, static_cast<std::size_t>(size.j) * size.l,
                                   different.get());
    unsigned long long count = 0;
    CUDA_CHECK(cudaMemcpy(&count, different.get(), sizeof count, cudaMemcpyDeviceToHost));
    if (count == 0) return;
    std::fprintf(stderr, "%d x %d times %d x %d: %llu elements %s.\n", size.j, size.k, size.k,
                 size.l, count, what);
    std::exit(1);
}

std::size_t bytesOf(Size size) { return sizeof(float) * size.j * size.l; }

// NaN in every element that the product should write.
void multiplyPoisoned(const Product& product, const Pool& pool, float* P, Size size) {
    CUDA_CHECK(cudaMemset(P, 0xff, bytesOf(size)));
    product(pool.M(size, 0), pool.N(size, 0), P, size);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
}

double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return (times[(times.size() - 1) / 2] + times[times.size() / 2]) / 2;
}

// Times both in turns, each run a batch of launches on the next of so many sets of inputs.
void timePair(const Product& cublas, const Product& own, const Pool& pool, float* P, Size size,
              std::size_t sets, double& cublasTime, double& ownTime) {
    std::size_t launched = 0;
    auto batch = [&](const Product& product, int count) {
        return timed([&] {
            for (int i = 0; i < count; ++i, ++launched)
                product(pool.M(size, launched % sets), pool.N(size, launched % sets), P, size);
        });
    };
    const Product* products[] = {&cublas, &own};
    int counts[2];
    int runs = kMostRuns;
    for (int i = 0; i < 2; ++i) {
        batch(*products[i], 1);
        const double one = batch(*products[i], 2) / 2;
        counts[i] = std::max(1, static_cast<int>(std::ceil(kShortestRun / one)));
        runs = std::clamp(static_cast<int>(kEnough / (one * counts[i])), kLeastRuns, runs);
    }
    std::vector<double> times[2];
    for (int run = 0; run < runs; ++run)
        for (int i = 0; i < 2; ++i) times[i].push_back(batch(*products[i], counts[i]) / counts[i]);
    cublasTime = median(times[0]);
    ownTime = median(times[1]);
}

}  // namespace

ShapesResult measureShapes(const Product& cublas, const Product& own, double l2Bytes) {
    ShapesResult result = {{}, shapes()};
    std::size_t inputs = 0, outputs = 0;
    for (const ShapeRow& row : result.rows) {
        inputs = std::max(inputs, Pool::floatsOf(row.size));
        outputs = std::max(outputs, bytesOf(row.size) / sizeof(float));
    }
    Pool pool(inputs);
    const DeviceArray<float> P = deviceArray<float>(outputs), other = deviceArray<float>(outputs);

    pool.fillWholeNumbers();
    for (const ShapeRow& row : result.rows) {
        multiplyPoisoned(cublas, pool, other.get(), row.size);
        multiplyPoisoned(own, pool, P.get(), row.size);
        endUnlessEqual(P.get(), other.get(), row.size, "are not exact on whole numbers");
    }
    pool.fillFractions();
    LimitMeter meter;
    meter.run(10 * LimitMeter::kLong);
    for (ShapeRow& row : result.rows) {
        multiplyPoisoned(own, pool, P.get(), row.size);
        const Reference reference(pool.M(row.size, 0), pool.N(row.size, 0), row.size);
        const std::string wrong = reference.compare(P.get());
        if (!wrong.empty()) {
            std::fprintf(stderr, "%d x %d times %d x %d: %s.\n", row.size.j, row.size.k, row.size.k,
                         row.size.l, wrong.c_str());
            std::exit(1);
        }
        for (int again = 0; again < 2; ++again) {
            multiplyPoisoned(own, pool, other.get(), row.size);
            endUnlessEqual(P.get(), other.get(), row.size, "differ from run to run");
        }
        timePair(cublas, own, pool, P.get(), row.size, 1, row.cublasWarm, row.ownWarm);
        timePair(cublas, own, pool, P.get(), row.size, pool.sets(row.size, kTimesL2 * l2Bytes),
                 row.cublasCold, row.ownCold);
        meter.run(LimitMeter::kLong);
        std::fprintf(stderr, "%5d x %5d x %5d  %6.1f %% of cuBLAS, L2 flushed %6.1f %%\n",
                     row.size.j, row.size.k, row.size.l, 100 * row.cublasWarm / row.ownWarm,
                     100 * row.cublasCold / row.ownCold);
    }
    result.limit = meter.limit;
    return result;
}

}  // namespace bench
