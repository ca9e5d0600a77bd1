// Tests barriers that are objects, pipelines and groups' copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/barrier>
#include <cuda/pipeline>
#include <numeric>
#include <vector>

#include "chosen_options.h"
#include "findings_text.h"
#include "on_device.h"

namespace cg = cooperative_groups;

namespace {

using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void rotateKernel(int* y, int rounds, int count) {
    __shared__ BlockBarrier bar;
    __shared__ int s[64];
    if (threadIdx.x == 0) init(&bar, count);
    __syncthreads();
    int mine = threadIdx.x;
    for (int i = 0; i < rounds; ++i) {
        s[threadIdx.x] = mine;
        bar.arrive_and_wait();
        mine = s[(threadIdx.x + 1) % blockDim.x];
        bar.wait(bar.arrive());
    }
    y[threadIdx.x] = mine;
}

__global__ void noWaitKernel(int* y) {
    __shared__ BlockBarrier bar;
    __shared__ int s[32];
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    s[threadIdx.x] = threadIdx.x;
    auto token = bar.arrive();
    y[threadIdx.x] = s[31 - threadIdx.x];
    bar.wait(std::move(token));
}

__global__ void dropKernel(int* y) {
    __shared__ BlockBarrier bar;
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x >= 8) {
        bar.arrive_and_drop();
        return;
    }
    bar.arrive_and_wait();
    bar.arrive_and_wait();
    y[threadIdx.x] = 1;
}

// The first thread arrives for the second phase before the next one has seen the first one end.
__global__ void nextPhaseKernel(int* y) {
    __shared__ BlockBarrier bar;
    __shared__ int s;
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    bar.arrive_and_wait();
    if (threadIdx.x == 0) s = 5;  // store
    if (threadIdx.x == 1) y[1] = s;
    bar.arrive_and_wait();
    if (threadIdx.x == 2) y[2] = s;
}

// Half of the threads store what the others read, in two buffers by turns. A thread that arrives
// need not wait.
__global__ void handOverKernel(int* y, int rounds, int early) {
    __shared__ BlockBarrier empty[2], full[2];
    __shared__ int s[2][32];
    const int t = threadIdx.x % 32;
    if (threadIdx.x < 2) init(&empty[threadIdx.x], 64), init(&full[threadIdx.x], 64);
    __syncthreads();
    if (threadIdx.x >= 32) {
        empty[0].arrive(), empty[1].arrive();
        for (int i = 0; i < rounds; ++i) {
            full[i % 2].arrive_and_wait();
            if (early) empty[i % 2].arrive();
            y[t] += s[i % 2][31 - t];  // read
            if (!early) empty[i % 2].arrive();
        }
        return;
    }
    for (int i = 0; i < rounds; ++i) {
        empty[i % 2].arrive_and_wait();
        s[i % 2][t] = i;  // stored
        full[i % 2].arrive();
    }
}

// The first thread waits for what another one stores after the barrier.
__global__ void flagBehindKernel(int* y) {
    __shared__ BlockBarrier bar;
    __shared__ volatile int flag;
    if (threadIdx.x == 0) init(&bar, blockDim.x - 1), flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        while (flag == 0) {
        }
        y[0] = 1;
    } else {
        bar.arrive_and_wait();
        if (threadIdx.x == 1) flag = 1;
    }
}

__global__ void copyAtBarrierKernel(const float* x, float* y, bool wait) {
    __shared__ BlockBarrier bar;
    __shared__ __align__(16) float s[128];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(block, s, x, cuda::aligned_size_t<16>(sizeof s), bar);
    if (wait) bar.arrive_and_wait();
    y[threadIdx.x] = s[127 - threadIdx.x];  // early
}

// More pieces than threads.
__global__ void groupCopyKernel(const float* x, float* y, bool wait) {
    __shared__ float s[128];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, x, sizeof s);
    if (wait) cg::wait(block);
    y[threadIdx.x] = s[127 - threadIdx.x];
}

__global__ void ownPipelineKernel(const float* x, float* y, int n) {
    __shared__ float s[2][32];
    auto pipe = cuda::make_pipeline();
    const int t = threadIdx.x;
    for (int i = 0; i < 2; ++i) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[i][t], &x[32 * i + t], sizeof(float), pipe);
        pipe.producer_commit();
    }
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        pipe.consumer_wait();
        sum += s[i % 2][t];
        pipe.consumer_release();
        pipe.producer_acquire();
        if (i + 2 < n) cuda::memcpy_async(&s[i % 2][t], &x[32 * (i + 2) + t], sizeof(float), pipe);
        pipe.producer_commit();
    }
    y[t] = sum;
}

// As in the CUDA C++ Programming Guide: all threads copy and compute.
__global__ void blockPipelineKernel(const float* x, float* y, int n) {
    constexpr int kStages = 2;
    __shared__ float s[kStages][32];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    float sum = 0;
    for (int compute = 0, fetch = 0; compute < n; ++compute) {
        for (; fetch < n && fetch < compute + kStages; ++fetch) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[fetch % kStages], x + 32 * fetch, sizeof s[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += s[compute % kStages][31 - threadIdx.x];
        pipe.consumer_release();
    }
    y[threadIdx.x] = sum;
}

std::vector<float> copied(void (*kernel)(const float*, float*, bool), int threads, bool wait) {
    std::vector<float> numbers(128);
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    const OnDevice<float> x(numbers), y(threads, 0.0f);
    kernel<<<1, threads>>>(x, y, wait);
    return y.host();
}

std::vector<float> summed(void (*kernel)(const float*, float*, int), int n) {
    std::vector<float> numbers(32 * n);
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    const OnDevice<float> x(numbers), y(32, 0.0f);
    kernel<<<1, 32>>>(x, y, n);
    return y.host();
}

}  // namespace

DEVICE_TEST("threads that meet at a barrier object see what the others have stored") {
    underEachSchedule([] {
        CHECK(resultOf(rotateKernel, 64, 1, 64, 5, 64)[60] == 1);
        checkNothingFound();
    });
}

DEVICE_TEST("the barrier after a barrier object is made is no barrier more, once a block") {
    const ChosenOptions chosen(1);
    for (const std::string schedule : {"forward", "reverse"}) {
        cusim::options().schedule = schedule;
        const OnDevice<int> y(64, 0);
        rotateKernel<<<2, 64>>>(y, 3, 64);
        CHECK(cusim::launches().back().barriersPerThread == 6);
        CHECK(cusim::launches().back().barriers == 2 * 64 * 6);
    }
}
DEVICE_TEST("a read between arrival and wait is a race") {
    resultOf(noWaitKernel, 32, 1, 32);
    CHECK(onlyFinding().kind == "race");
}

DEVICE_TEST("who arrives for the next phase hands nothing to those who wait for this one") {
    underEachSchedule([] {
        cusim::options().tolerant = true;
        resultOf(nextPhaseKernel, 3, 1, 3);
        CHECK(onlyFinding().kind == "race");
        CHECK(marksOf(onlyFinding().file, onlyFinding().line) == "store");
    });
}

DEVICE_TEST("a barrier object orders threads that wait, not threads that only arrive") {
    underEachSchedule([] {
        cusim::options().tolerant = true;
        CHECK(resultOf(handOverKernel, 32, 1, 64, 5, 0)[3] == 10);
        checkNothingFound();
        resultOf(handOverKernel, 32, 1, 64, 5, 1);
        CHECK(onlyFinding().kind == "race");
        CHECK(marksOf(onlyFinding().file, onlyFinding().line) == "stored");
    });
}

DEVICE_TEST("threads that have met at a barrier object go on while another one waits for a flag") {
    underEachSchedule([] {
        cusim::options().tolerant = true;
        CHECK(resultOf(flagBehindKernel, 1, 1, 3)[0] == 1);
    });
}

DEVICE_TEST("a thread that drops out is not waited for") {
    CHECK(resultOf(dropKernel, 8, 1, 20)[7] == 1);
    checkNothingFound();
}

DEVICE_TEST("a barrier of more threads than come waits for ever, one of fewer is reported") {
    resultOf(rotateKernel, 64, 1, 64, 1, 65);
    CHECK(onlyFinding().kind == "barrier-divergence");
    CHECK(holds(onlyFinding().title, "too few threads arrive"));
    cusim::reset();
    // Every thread of a phase beyond the count belongs to the next phase, which never ends.
    resultOf(rotateKernel, 64, 1, 64, 1, 48);
    CHECK_FALSE(cusim::findings().empty());
}

DEVICE_TEST("a block's copy is there when its barrier's phase has ended") {
    underEachSchedule([] {
        CHECK(copied(copyAtBarrierKernel, 32, true)[5] == 122);
        checkNothingFound();
        copied(copyAtBarrierKernel, 32, false);
        bool told = false;
        for (const cusim::Finding& finding : cusim::findings()) {
            CHECK(finding.kind == "race");
            told |= marksOf(finding.file, finding.line) == "early" &&
                    holds(finding.title, "has not finished");
        }
        CHECK(told);
    });
}

DEVICE_TEST("a group's copy is there after its wait") {
    CHECK(copied(groupCopyKernel, 16, true)[5] == 122);
    checkNothingFound();
    copied(groupCopyKernel, 16, false);
    REQUIRE_FALSE(cusim::findings().empty());
    CHECK(cusim::findings()[0].kind == "race");
}

DEVICE_TEST("a pipeline brings each stage in its turn, of a thread and of a block") {
    underEachSchedule([] {
        CHECK(summed(ownPipelineKernel, 6)[3] == 6 * 3 + 15 * 32);
        checkNothingFound();
        CHECK(summed(blockPipelineKernel, 7)[3] == 7 * 28 + 21 * 32);
        checkNothingFound();
    });
}
