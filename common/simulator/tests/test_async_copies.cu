// Tests asynchronous copies: what they bring, what they count, and which threads come too early.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <numeric>
#include <vector>

#include "chosen_options.h"
#include "findings_text.h"
#include "on_device.h"
#include "simulator/observers/async_copies.h"

namespace {

enum { kCommit = 1, kWait = 2, kBarrier = 4, kAll = 7 };

__global__ void ownKernel(const float* x, float* y, int steps) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);  // copy
    if (steps & kCommit) __pipeline_commit();
    if (steps & kWait) __pipeline_wait_prior(0);
    y[threadIdx.x] = s[threadIdx.x];  // own
}

__global__ void othersKernel(const float* x, float* y, int steps) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
    __pipeline_commit();
    if (steps & kWait) __pipeline_wait_prior(0);
    if (steps & kBarrier) __syncthreads();
    y[threadIdx.x] = s[threadIdx.x ^ 1];
}

// Three stages, as a pipelined kernel has them. A block sums the columns of n rows of 32.
__global__ void stagesKernel(const float* x, float* y, int n, int prior) {
    __shared__ __align__(16) float s[3][32];
    const int t = threadIdx.x;
    for (int stage = 0; stage < 2; ++stage) {
        if (stage < n && t % 4 == 0) __pipeline_memcpy_async(&s[stage][t], &x[32 * stage + t], 16);
        __pipeline_commit();
    }
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        __pipeline_wait_prior(prior);
        __syncthreads();
        if (i + 2 < n && t % 4 == 0)
            __pipeline_memcpy_async(&s[(i + 2) % 3][t], &x[32 * (i + 2) + t], 16);
        __pipeline_commit();
        for (int r = 0; r < 8; ++r) sum += s[i % 3][31 - t] / 8;
    }
    y[t] = sum;
}

__global__ void overwrittenKernel(const float* x, float* y) {
    __shared__ float s[32];
    s[threadIdx.x] = 5;
    __syncthreads();
    y[threadIdx.x] = s[31 - threadIdx.x];  // still read
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

enum ByWhom { Own, Other, ItsBlock };
__global__ void sourceKernel(float* x, float* y, ByWhom changes) {
    __shared__ float s[32];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &x[t], 4);  // copy
    __pipeline_commit();
    if (changes == Own) x[t] = -1;  // change
    __syncthreads();
    if (changes == Other) x[31 - t] = -1;  // change
    __syncthreads();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (changes == ItsBlock) x[31 - t] = -1;
    y[t] = s[t];
}

__global__ void sameTargetKernel(const float* x, float* y) {
    __shared__ float s[32];
    if (threadIdx.x == 0) s[0] = 5;
    if (threadIdx.x == 1) __pipeline_memcpy_async(&s[0], &x[0], 4);
}

// Copies of one block are under way while the other one runs.
__global__ void gridKernel(const float* x, float* y) {
    __shared__ float s[32];
    const int t = threadIdx.x, all = blockIdx.x * 32 + t;
    __pipeline_memcpy_async(&s[t], &x[all], 4);
    __pipeline_commit();
    cooperative_groups::this_grid().sync();
    __pipeline_wait_prior(0);
    y[all] = s[t];
}

__global__ void zerosKernel(const float* x, float* y) {
    __shared__ __align__(16) float s[4];
    if (threadIdx.x > 0) return;
    __pipeline_memcpy_async(s, x, 16, 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int i = 0; i < 4; ++i) y[i] = s[i];
}

__global__ void misalignedKernel(const float* x, float* y) {
    __shared__ __align__(16) float s[8];
    __pipeline_memcpy_async(&s[1], x, 8);
}
__global__ void pastEndKernel(const float* x, float* y) {
    __shared__ float s[32];
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x + 1], 4);
}
__global__ void toGlobalKernel(const float* x, float* y) { __pipeline_memcpy_async(y, x, 4); }

std::vector<float> numbers(int n) {
    std::vector<float> all(n);
    std::iota(all.begin(), all.end(), 1.0f);
    return all;
}

template <class... More>
std::vector<float> launched(void (*kernel)(const float*, float*, More...), int threads, int n,
                            std::common_type_t<More>... more) {
    const OnDevice<float> x(numbers(n)), y(threads, 0.0f);
    kernel<<<1, threads>>>(x, y, more...);
    return y.host();
}

}  // namespace

DEVICE_TEST("a copy is there once its thread has waited, and for others after a barrier") {
    underEachSchedule([] {
        CHECK(launched(ownKernel, 64, 64, kAll)[5] == 6);
        CHECK(launched(othersKernel, 64, 64, kAll)[5] == 5);
        checkNothingFound();
    });
}

DEVICE_TEST("a thread that does not wait for its own copy reads what was there before") {
    for (const int steps : {0, int{kCommit}, int{kWait}}) {
        INFO("steps " << steps);
        cusim::reset();
        CHECK_FALSE(launched(ownKernel, 64, 64, steps)[5] == 6);
        const cusim::Finding finding = onlyFinding();
        CHECK(finding.kind == "race");
        CHECK(marksOf(finding.file, finding.line) == "own");
        CHECK(marksOf(finding.others[0].file, finding.others[0].line) == "copy");
        CHECK(finding.count == 64);
        CHECK(holds(finding.remedy, "__pipeline_wait_prior"));
    }
}

DEVICE_TEST("other threads' copies are waited for and then need a barrier") {
    launched(othersKernel, 64, 64, kCommit | kBarrier);
    CHECK(holds(onlyFinding().title, "has not finished"));
    cusim::reset();
    launched(othersKernel, 64, 64, kCommit | kWait);
    CHECK(onlyFinding().kind == "race");
    CHECK(holds(onlyFinding().remedy, "__syncthreads()"));
}

DEVICE_TEST("a pipeline of three stages is right, and wrong with one group more under way") {
    underEachSchedule([] {
        const std::vector<float> sums = launched(stagesKernel, 32, 320, 10, 1);
        for (int t = 0; t < 32; ++t) CHECK(sums[t] == 10 * (32 - t) + 45 * 32);
        checkNothingFound();
        // All rows but the first are copied while another one is read.
        CHECK(onlyLaunch().async.loadedBytes == 10 * 32 * 4);
        CHECK(onlyLaunch().async.overlappedBytes == 9 * 32 * 4);
        cusim::reset();
        launched(stagesKernel, 32, 320, 10, 2);
        REQUIRE_FALSE(cusim::findings().empty());
        for (const cusim::Finding& finding : cusim::findings()) CHECK(finding.kind == "race");
    });
}

TEST_CASE("threads that commit before the first copy of all have groups of their own") {
    cusim::AsyncCopies copies;
    copies.beginBlock(4, 64);
    const auto finished = [&](std::size_t prior) { return copies.finish(2, prior).size(); };
    copies.commit(2);
    copies.start(2, {0, nullptr, 4, 0, 0, nullptr});
    copies.commit(3);
    CHECK(finished(0) == 0);  // its group is not committed
    copies.commit(2);
    CHECK(finished(1) == 0);
    CHECK(finished(0) == 1);
}

DEVICE_TEST("a copy over what others still read is a race") {
    launched(overwrittenKernel, 32, 32);
    CHECK(onlyFinding().kind == "race");
    CHECK(marksOf(onlyFinding().others[0].file, onlyFinding().others[0].line) == "still read");
}

DEVICE_TEST("what is copied must not change while the copy is under way") {
    for (const bool tolerant : {false, true})
        for (const ByWhom changes : {Own, Other, ItsBlock}) {
            INFO(tolerant << " " << changes);
            cusim::reset();
            cusim::options().tolerant = tolerant;
            const OnDevice<float> x(numbers(32)), y(32, 0.0f);
            sourceKernel<<<1, 32>>>(x, y, changes);
            if (changes == ItsBlock) {
                checkNothingFound();
                continue;
            }
            CHECK(onlyFinding().kind == "race");
            CHECK(onlyFinding().count == 32);
            CHECK(marksOf(onlyFinding().file, onlyFinding().line) ==
                  (tolerant ? "change" : "copy"));
            CHECK(holds(onlyFinding().remedy, "__pipeline_wait_prior"));
        }
}

DEVICE_TEST("a store and a copy to one place race, though the copy has not come there yet") {
    cusim::options().tolerant = true;
    launched(sameTargetKernel, 32, 32);
    REQUIRE_FALSE(cusim::findings().empty());
    for (const cusim::Finding& finding : cusim::findings()) CHECK(finding.kind == "race");
}

DEVICE_TEST("blocks that run side by side each have copies of their own") {
    const OnDevice<float> x(numbers(64)), y(64, 0.0f);
    const float* source = x;
    float* target = y;
    void* arguments[] = {&source, &target};
    CHECK(cudaLaunchCooperativeKernel(gridKernel, 2, 32, arguments) == cudaSuccess);
    CHECK(y.host() == numbers(64));
    checkNothingFound();
}

DEVICE_TEST("a copy counts as one load and one store, and sets to zero what it is asked to") {
    CHECK(launched(zerosKernel, 4, 2) == std::vector<float>{1, 2, 0, 0});
    const cusim::LaunchReport& launch = onlyLaunch();
    CHECK(launch.global().loads == 1);
    CHECK(launch.global().loadedBytes == 8);
    CHECK(launch.shared().stores == 1);
    CHECK(launch.shared().storedBytes == 16);
}

DEVICE_TEST("a copy that is not aligned, past an end or to other memory is refused") {
    launched(misalignedKernel, 1, 32);
    CHECK(onlyFinding().kind == "misaligned");
    CHECK(holds(onlyFinding().remedy, "If each thread copies one float, copy sizeof(float)"));
    cusim::reset();
    launched(pastEndKernel, 32, 32);
    CHECK(onlyFinding().kind == "out-of-bounds");
    CHECK(onlyFinding().thread.x == 31);
    cusim::reset();
    launched(toGlobalKernel, 1, 32);
    CHECK(onlyFinding().kind == "async-copy");
}
