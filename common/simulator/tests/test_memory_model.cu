// Tests of Options::tolerant: which accesses of a launch CUDA's memory model orders, and what is
// told apart as formally wrong and harmless on devices.
#include <cuda/atomic>
#include <string>

#include "chosen_options.h"
#include "findings_text.h"
#include "on_device.h"
#include "tolerant.h"

namespace {

constexpr int kBlocks = 40, kThreads = 64;

// The guide's own loop ("Atomic Functions"): its first read is plain.
__device__ float addByCas(float* address, float value) {
    auto* const word = reinterpret_cast<unsigned*>(address);
    unsigned old = *word, assumed;  // first-read
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __float_as_uint(value + __uint_as_float(assumed)));  // cas
    } while (assumed != old);
    return __uint_as_float(old);
}

enum class Ends { Loop, ReadBack, ReadBackInLoop };
__global__ void sumByCas(float* y, float* z, Ends ends) {
    for (int round = 0; round < 2; ++round) {
        addByCas(y, 1.0f);
        if (ends == Ends::ReadBackInLoop) z[blockIdx.x * kThreads + threadIdx.x] = *y;  // back
    }
    if (ends == Ends::ReadBack) z[blockIdx.x * kThreads + threadIdx.x] = *y;  // back
}

// Reads a histogram in shared memory.
__global__ void histogram(const int* x, int* y, bool barrier) {
    __shared__ int bins[8];
    if (threadIdx.x < 8) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[x[threadIdx.x] % 8], 1);
    if (barrier) __syncthreads();
    if (threadIdx.x < 8) y[blockIdx.x * 8 + threadIdx.x] = bins[threadIdx.x];  // bins-back
}

// A fence is no barrier: others may count before the counter is set.
__global__ void resetByFence(int* y) {
    if (blockIdx.x == 0 && threadIdx.x == 0) y[0] = 0;  // reset
    __threadfence();
    atomicAdd(&y[0], 1);  // count-up
}
enum class Fence { Device, Block, None, Behind };
__device__ void fenceBy(Fence fence) {
    if (fence == Fence::Device) __threadfence();
    if (fence == Fence::Block) __threadfence_block();
}

__device__ unsigned done;

// The guide's example of a fence: the last block sums up what the others have left.
template <class T>
__global__ void lastBlock(T* partial, int* result, Fence fence, bool acquire) {
    __shared__ bool isLast;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x;  // partial
        fenceBy(fence);
        isLast = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;  // count
        if (fence == Fence::Behind) __threadfence();
        if (acquire) __threadfence();
        int sum = 0;
        if (!acquire && isLast)
            for (int i = 0; i < gridDim.x; ++i) sum += partial[i];  // at-once
        if (!acquire) *result = sum;
    }
    if (!acquire) return;
    __syncthreads();
    if (!isLast) return;
    int sum = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += partial[i];  // sum
    atomicAdd(result, sum);
    if (threadIdx.x == 0) done = 0;  // as the guide does; it has read all others' atomics
}

// All threads write, all fence, and one of them counts for all.
__global__ void lastOfMany(int* partial, int* result, bool fence) {
    __shared__ bool isLast;
    partial[blockIdx.x * kThreads + threadIdx.x] = 1;  // partial
    if (fence) __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) isLast = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!isLast) return;
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += partial[i * kThreads + threadIdx.x];  // sum
    atomicAdd(result, sum);
}

// A scan's prefix goes from block to block (Kirk and Hwu, "Single-pass scan").
__global__ void chain(volatile int* flags, int* prefix, bool fence, bool acquire) {
    if (threadIdx.x != 0) return;
    const int b = blockIdx.x;
    while (b > 0 && flags[b - 1] == 0) {
    }
    if (acquire) __threadfence();
    prefix[b] = b > 0 ? prefix[b - 1] + 1 : 1;  // prefix
    if (fence) __threadfence();
    flags[b] = 1;  // flag
}

enum class Values { Same, LastDiffers, Own };
__global__ void flags(int* y, Values values) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const bool last = i == gridDim.x * kThreads - 1;
    y[i % 4] = values == Values::Own ? i : values == Values::LastDiffers && last ? 2 : 1;  // store
}

__global__ void bytesOfOneWord(char* y, bool same) { y[1] = same ? 1 : threadIdx.x; }

// Each half of a warp reduces on its own.
__global__ void halves(int* y, bool whole) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x, half = t % 32 / 16;
    s[t] = t;  // own
    if (half == 0) __syncwarp(0xffffu);
    if (half == 0) __syncwarp(0xffffu);
    if (half == 1) __syncwarp(0xffff0000u);
    if (whole) __syncwarp();
    y[t] = s[t ^ (whole ? 16 : 1)];  // other
}
__global__ void acrossHalves(int* y) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x;
    s[t] = t;  // own
    __syncwarp(t % 32 < 16 ? 0xffffu : 0xffff0000u);
    y[t] = s[t ^ 16];  // other
}

__global__ void eitherBarrier(int* y, int before) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x;
    s[t] = t;
    if (t < before)
        __syncthreads();  // if
    else
        __syncthreads();  // else
    y[t] = s[kThreads - 1 - t];
}
__global__ void oneMore(int* y, int before) {
    if (threadIdx.x < before) __syncthreads();  // one
    __syncthreads();                            // all
    y[threadIdx.x] = 1;
}

// The last thread tells the first one to go on; its warp cannot wait for it at a barrier.
__global__ void waitForLast(int* flag, int* y, bool told) {
    if (threadIdx.x == kThreads - 1 && told) {
        *y = 7;
        __threadfence();
        atomicExch(flag, 1);
    }
    if (threadIdx.x > 0) return;
    while (atomicAdd(flag, 0) == 0) {  // wait
    }
    __threadfence();
    *y += 1;
}
__global__ void spinLock(int* lock, int* y) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *y += 1;
    __threadfence();
    atomicExch(lock, 0);
}
__global__ void waitForNext(volatile int* flags) {
    if (threadIdx.x > 0) return;
    flags[blockIdx.x] = 1;
    while (flags[blockIdx.x + 1] == 0) {  // wait-next
    }
}

// The first block tells the second one by an atomic of the standard's kind.
template <cuda::thread_scope Scope>
__global__ void tell(cuda::atomic<int, Scope>* ready, int* y, cuda::memory_order store,
                     cuda::memory_order load) {
    if (threadIdx.x > 0) return;
    if (blockIdx.x == 0) {
        *y = 7;                  // message
        ready->store(1, store);  // ready
    } else {
        while (ready->load(load) == 0) {
        }
        *y += 1;  // answer
    }
}
__global__ void countBy(int* y) {
    cuda::atomic_ref<int, cuda::thread_scope_device> count(*y);
    ++count;
    count.fetch_add(2, cuda::memory_order_relaxed);
}

void runLast(Fence fence, bool acquire) {
    cusim::reset();
    const OnDevice<int> partial(kBlocks), result(1, 0);
    lastBlock<int><<<kBlocks, kThreads>>>(partial, result, fence, acquire);
    if (fence == Fence::Device) CHECK(result.host()[0] == kBlocks * (kBlocks - 1) / 2);
}

// A thread hands on, to all, what another one of its block has handed over to the block alone.
__global__ void relay(int* flags, int* y) {
    const unsigned thread = threadIdx.x + 32 * blockIdx.x;
    if (thread == 0) {
        *y = 7;
        __threadfence_block();
        atomicExch(flags, 1);
    } else if (thread == 1) {
        while (atomicAdd(flags, 0) == 0) {
        }
        __threadfence_block();
        __atomic_store_n(flags + 1, 1, __ATOMIC_RELEASE);
    } else if (thread == 32) {
        while (__atomic_load_n(flags + 1, __ATOMIC_ACQUIRE) == 0) {
        }
        ++*y;
    }
}

}  // namespace

TOLERANT_TEST("What a block knows is handed on to all by a thread that releases to all") {
    const OnDevice<int> y(1, 0);
    relay<<<2, 32>>>(OnDevice<int>(2, 0), y);
    CHECK(y.host()[0] == 8);
    checkNothingFound();
}

TOLERANT_TEST(
    "The guide's loop of compare-and-swap is right, and a read back of its sum is a race") {
    const auto run = [](Ends ends) {
        cusim::reset();
        const OnDevice<float> y(1, 0.0f), z(kBlocks * kThreads);
        sumByCas<<<kBlocks, kThreads>>>(y, z, ends);
        return told();
    };
    CHECK(run(Ends::Loop).empty());
    const std::string back =
        "race: cas, back\nrace: cas, back\n";  // within blocks and between them
    CHECK(run(Ends::ReadBack) == back);
    CHECK(run(Ends::ReadBackInLoop) == back);
}

TOLERANT_TEST("A histogram read without a barrier stays a race") {
    const OnDevice<int> x(kThreads, 3), y(8 * kBlocks);
    histogram<<<kBlocks, kThreads>>>(x, y, true);
    checkNothingFound();
    histogram<<<kBlocks, kThreads>>>(x, y, false);
    CHECK(onlyFinding().kind == "race");
}

TOLERANT_TEST("The last block may read what a fence and an atomic hand over") {
    runLast(Fence::Device, true);
    checkNothingFound();
    runLast(Fence::None, true);
    CHECK(told() == "race: partial, sum, count\n");
    CHECK(holds(onlyFinding().remedy, "Put a __threadfence() before the atomic"));
    runLast(Fence::Behind, true);
    CHECK(told() == "race: partial, sum, count\n");
    runLast(Fence::Block, true);
    CHECK(told() == "race: partial, sum, count\n");
}

TOLERANT_TEST("A fence of each thread in front of a barrier hands over for all") {
    const OnDevice<int> partial(kBlocks * kThreads), result(1, 0);
    lastOfMany<<<kBlocks, kThreads>>>(partial, result, true);
    CHECK(result.host()[0] == kBlocks * kThreads);
    checkNothingFound();
    lastOfMany<<<kBlocks, kThreads>>>(partial, result, false);
    CHECK(onlyFinding().kind == "race");
}

TOLERANT_TEST("Without a fence after the atomic the read is formally a race") {
    cusim::reset();
    const OnDevice<int> partial(kBlocks), result(kBlocks);
    lastBlock<int><<<kBlocks, kThreads>>>(partial, result, Fence::Device, false);
    CHECK(holds(told(), "formal-race: partial, at-once (remark)"));
}

TOLERANT_TEST("A fence orders no store with the first atomics of others") {
    for (const int blocks : {1, 2}) {
        cusim::reset();
        resetByFence<<<blocks, blocks == 1 ? 32 : 1>>>(OnDevice<int>(1, 0));
        CHECK(told() == "race: reset, count-up\n");
    }
    CHECK(holds(onlyFinding().remedy, "before the launch, with cudaMemset"));
}

TOLERANT_TEST("A prefix goes from block to block by flags that are volatile") {
    const auto run = [](bool fence, bool acquire) {
        cusim::reset();
        const OnDevice<int> flags(kBlocks, 0), prefix(kBlocks);
        chain<<<kBlocks, kThreads>>>(flags, prefix, fence, acquire);
        CHECK(prefix.host().back() == kBlocks);
        return told();
    };
    CHECK(run(true, true).empty());
    CHECK(run(true, false) == "formal-race: prefix (remark)\n");
    CHECK(holds(run(false, true), "race: prefix"));
}

TOLERANT_TEST("Threads that all write the same value are told apart from those that do not") {
    const auto run = [](Values values) {
        cusim::reset();
        const OnDevice<int> y(4);
        flags<<<kBlocks, kThreads>>>(y, values);
        return told();
    };
    CHECK(run(Values::Same) == "formal-race: store (remark)\nformal-race: store (remark)\n");
    CHECK(anyHolds(cusim::findings()[0].details, "all threads write the same value"));
    CHECK(run(Values::Own) == "race: store\nrace: store\n");
    CHECK(run(Values::LastDiffers) == "race: store\nrace: store\n");
    CHECK(cusim::findings()[0].count == 1);
    const OnDevice<char> bytes(4);
    cusim::reset();
    bytesOfOneWord<<<1, 2>>>(OnDevice<char>(4), true);
    CHECK(onlyFinding().remark);
}

TOLERANT_TEST("A __syncwarp of a part of the warp orders that part") {
    const OnDevice<int> y(kThreads);
    halves<<<1, kThreads>>>(y, false);
    halves<<<1, kThreads>>>(y, true);
    checkNothingFound();
    acrossHalves<<<1, kThreads>>>(y);
    CHECK(told() == "race: own, other\n");
}

TOLERANT_TEST(
    "Barriers in both halves of a branch work on today's devices, and one more does not") {
    const OnDevice<int> y(kThreads, 0);
    eitherBarrier<<<1, kThreads>>>(y, 20);
    CHECK(told() == "formal-barrier: if, else (remark)\n");
    CHECK(y.host()[0] == kThreads - 1);
    cusim::reset();
    oneMore<<<1, kThreads>>>(OnDevice<int>(kThreads, 0), 20);
    CHECK(told() == "barrier-divergence: one, one\n");
}

TOLERANT_TEST("A thread may wait for what another one of its block stores") {
    const OnDevice<int> y(1, 0);
    waitForLast<<<1, kThreads>>>(OnDevice<int>(1, 0), y, true);
    CHECK(y.host()[0] == 8);
    checkNothingFound();
    const OnDevice<int> lock(1, 0), sum(1, 0);
    spinLock<<<kBlocks, kThreads>>>(lock, sum);
    CHECK(sum.host()[0] == kBlocks * kThreads);
    checkNothingFound();
}

TOLERANT_TEST("Threads that wait for ever are reported with the line where they wait") {
    waitForLast<<<1, kThreads>>>(OnDevice<int>(1, 0), OnDevice<int>(1, 0), false);
    CHECK(told() == "endless-kernel: wait\n");
    cusim::reset();
    waitForNext<<<2, 32>>>(OnDevice<int>(3, 0));
    CHECK(told() == "endless-kernel: wait-next\n");
}

TOLERANT_TEST(
    "Acquire and release of cuda::atomic hand over, relaxed orders and narrow scopes do not") {
    const auto run = [](auto kernel, cuda::memory_order store, cuda::memory_order load) {
        cusim::reset();
        const OnDevice<int> ready(1, 0), y(1, 0);
        int *at = ready, *of = y;
        void* arguments[] = {&at, &of, &store, &load};
        cudaLaunchKernel(kernel, 2, 32, arguments);
        CHECK(y.host()[0] == 8);
        return told();
    };
    const auto device = tell<cuda::thread_scope_device>;
    CHECK(run(device, cuda::memory_order_release, cuda::memory_order_acquire).empty());
    CHECK(run(device, cuda::memory_order_seq_cst, cuda::memory_order_seq_cst).empty());
    CHECK(holds(run(device, cuda::memory_order_relaxed, cuda::memory_order_acquire),
                "race: message, answer, ready"));
    CHECK(run(device, cuda::memory_order_release, cuda::memory_order_relaxed) ==
          "formal-race: message, answer (remark)\nformal-race: message, answer (remark)\n");
    const std::string narrow =
        run(tell<cuda::thread_scope_block>, cuda::memory_order_release, cuda::memory_order_acquire);
    CHECK(holds(narrow, "race: message, answer"));
    const OnDevice<int> y(1, 0);
    cusim::reset();
    countBy<<<kBlocks, kThreads>>>(OnDevice<int>(1, 0));
    checkNothingFound();
}

TEST_CASE("What is formally wrong stays a finding for the labs") {
    const ChosenOptions chosen;
    eitherBarrier<<<1, kThreads>>>(OnDevice<int>(kThreads, 0), 20);
    CHECK(told() == "barrier-divergence: if, if, else\n");
    cusim::reset();
    flags<<<1, kThreads>>>(OnDevice<int>(4), Values::Same);
    CHECK(told() == "race: store\n");
}
