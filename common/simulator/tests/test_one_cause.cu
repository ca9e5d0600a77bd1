// One cause is one finding, at the line that is wrong: what follows from it is none of its own.
#include <cuda_runtime.h>

#include <vector>

#include "tolerant.h"

namespace {

constexpr int kThreads = 64, kCapacity = 1024;

__global__ void sumTree(const int* in, int* out, bool last, bool ordered) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x;
    s[t] = in[t];
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) s[t] += s[t + half];  // add
    }
    if (ordered) __syncthreads();
    const int sum = s[0];  // first
    if (last) out[1] = 1;  // flag
    *out = sum;            // store
}

__global__ void addTwice(float* x, const float* y) {
    *x += *y;  // twice
}

__device__ int* unsetPointer;
__global__ void throughNull() {
    *unsetPointer = 3;  // null
}

__global__ void countInTwo(int* n) {
    const int old = *n;  // look
    *n = old + 1;        // change
}

__global__ void barrierInBranch(int* y, int n) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x;
    if (t < n) {  // if
        s[t] = y[t];
        __syncthreads();  // inside
        y[t] = s[n - 1 - t];
    }
    __syncthreads();  // next
    if (t < n) y[t] += 1;
    __syncthreads();  // last
    y[t] = 0;
}

__global__ void roundsOfThreads(int* y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {  // loop
        y[i] = i;
        __syncthreads();  // round
    }
    __syncthreads();  // behind
}

// What a kernel lists, and where it leaves the length.
__global__ void list(int* all, int* length, int elements) {
    for (int i = threadIdx.x; i < elements; i += blockDim.x) all[atomicAdd(length, 1)] = i;
}
__global__ void listsOfThreads(int* all, int* lengths) {
    const int t = threadIdx.x;
    for (int i = 0; i <= t % 3; ++i) all[i * kThreads + t] = i;
    lengths[t] = t % 3 + 1;
}
__global__ void fill(int* all, int elements) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < elements) all[i] = i;  // every
}
__device__ int lengthOfAll;
__global__ void listAndVariable(int* all, int elements) {
    for (int i = 0; i < elements; ++i) all[lengthOfAll++] = i;
}

template <class Pointer>
__device__ void lastWarp(Pointer s, int t) {
    s[t] += s[t + 8];  // eight
    s[t] += s[t + 4];  // four
    s[t] += s[t + 2];  // two
}
__global__ void sumVolatile(int* y, bool early) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x;
    s[t] = y[t];  // load
    if (!early) __syncthreads();
    if (t < 32) lastWarp<volatile int*>(s, t);
    __syncthreads();
    y[t] = s[t % 2];
}
__global__ void sumInWarp(int* y) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x;
    s[t] = y[t];
    __syncthreads();
    if (t < 32) {          // warp
        s[t] += s[t + 8];  // first of warp
        s[t] += s[t + 4];
        s[t] += s[t + 2];
    }
    __syncthreads();
    y[t] = s[0];
}
__global__ void threeReads(int* y) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x;
    s[t] = y[t];                        // only store
    const int a = s[kThreads - 1 - t];  // nearest
    const int b = s[(t + 1) % kThreads];
    y[t] = a + b + s[(t + 2) % kThreads];
}

__global__ void sumsWithoutFirst(const float* x, float* y, int which) {
    float sum, all[8], four[4];
    if (which != 0) sum = 0;
    for (int i = 0; i < 4; ++i) sum += x[i];
    all[threadIdx.x] = sum;
    four[threadIdx.x % 4] = sum;
    for (int i = 1; which == 1 && i < 8; ++i) all[0] += all[i];
    y[threadIdx.x] = which == 1 ? all[0] : which == 2 ? four[0] : sum;
}

std::string copied(const int* all, std::size_t elements = kCapacity) {
    std::vector<int> host(elements);
    cudaMemcpy(host.data(), all, 4 * elements, cudaMemcpyDeviceToHost);  // copy
    return told();
}
const std::string kRemark = "unset-output: copy (remark)\n", kFault = "unset-output: copy\n";

}  // namespace

TOLERANT_TEST("Stores of one value are harmless only if no race and no unset value decides it") {
    const OnDevice<int> in(kThreads, 1), out(2, 0);
    sumTree<<<1, kThreads>>>(in, out, true, false);
    CHECK(told() == "race: add, first\n");
    cusim::reset();
    sumTree<<<1, kThreads>>>(OnDevice<int>(kThreads, 1), OnDevice<int>(2, 0), true, true);
    CHECK(told() == "formal-race: flag (remark)\nformal-race: store (remark)\n");
    cusim::reset();
    addTwice<<<1, 2>>>(OnDevice<float>(1, 0), OnDevice<float>(1));  // not a number, both times
    CHECK(told() == "unset-read: twice\n");
}

TOLERANT_TEST("A null pointer that an allocation after a failed kernel leaves is a remark") {
    int* all = nullptr;
    cudaMalloc(&all, 4 * kThreads);  // all
    cusim::guarded([&] {
        fill<<<1, 2 * kThreads>>>(all, 2 * kThreads);
        int* lacks = nullptr;
        cudaMallocManaged(&lacks, 4);
        *lacks = 1;  // null
    });
    CHECK(told() == "out-of-bounds: every, all\nhost-crash: null (remark)\n");
    cudaFree(all);
}

TOLERANT_TEST("A barrier in a branch is the finding, not the next one, which all threads reach") {
    barrierInBranch<<<1, kThreads>>>(OnDevice<int>(kThreads, 0), 20);
    CHECK(told() == "barrier-divergence: inside, if\n");
    CHECK(holds(onlyFinding().remedy, "excludes some threads"));
    cusim::reset();
    roundsOfThreads<<<1, kThreads>>>(OnDevice<int>(kCapacity, 0), 100);
    CHECK(told() == "barrier-divergence: round, loop\n");
    cusim::reset();
    barrierInBranch<<<1, kThreads>>>(OnDevice<int>(kThreads, 0), kThreads);
    checkNothingFound();
}

TOLERANT_TEST("The unused rest of a list whose length a kernel counts is a remark") {
    const OnDevice<int> all(kCapacity), length(1, 0);
    list<<<1, kThreads>>>(all, length, 100);
    CHECK(copied(all) == kRemark);
    cusim::reset();
    const OnDevice<int> lists(3 * kThreads), lengths(kThreads);
    listsOfThreads<<<1, kThreads>>>(lists, lengths);
    CHECK(copied(lists, 3 * kThreads) == kRemark);
    cusim::reset();
    const OnDevice<int> one(kCapacity);
    cudaMemset(one, 0, 4);
    int* const elements = one;
    list<<<1, kThreads>>>(elements + 1, one, 100);
    CHECK(copied(one) == kRemark);
    cusim::reset();
    const OnDevice<int> byVariable(kCapacity);
    listAndVariable<<<1, 1>>>(byVariable, 10);
    CHECK(copied(byVariable) == kRemark);
}

TOLERANT_TEST("A small rest is a remark unless a grid or a guard of one element leaves it") {
    const auto run = [](int blocks, int elements) {
        cusim::reset();
        const OnDevice<int> all(kCapacity);
        fill<<<blocks, kThreads>>>(all, elements);
        return copied(all);
    };
    CHECK(run(kCapacity / kThreads, 1000) == kRemark);
    CHECK(run(kCapacity / kThreads - 1, kCapacity) == kFault);
    CHECK(run(kCapacity / kThreads, kCapacity - 1) == kFault);
    CHECK(run(kCapacity / kThreads, 700) == kFault);
    cusim::options().tolerant = false;
    CHECK(run(kCapacity / kThreads, 1000) == kFault);
}

TOLERANT_TEST("Races that one remedy mends are one finding, which names the other lines") {
    sumInWarp<<<1, kThreads>>>(OnDevice<int>(kThreads, 1));
    CHECK(holds(onlyFinding().remedy, "lets only one warp in"));
    CHECK(anyHolds(onlyFinding().details, "more races of the same cause: with line "));
    CHECK(marksOf(onlyFinding().file, onlyFinding().line) == "first of warp");
    cusim::options().tolerant = false;
    cusim::reset();
    sumInWarp<<<1, kThreads>>>(OnDevice<int>(kThreads, 1));
    CHECK(holds(onlyFinding().remedy, "lets only one warp in"));
    cusim::options().tolerant = true;
    cusim::reset();
    sumVolatile<<<1, kThreads>>>(OnDevice<int>(kThreads, 1), false);
    CHECK(holds(onlyFinding().remedy, "volatile does not order threads"));
    cusim::reset();
    threeReads<<<1, kThreads>>>(OnDevice<int>(kThreads, 1));
    CHECK(told() == "race: only store, nearest\n");
}

TOLERANT_TEST(
    "The barrier that lacks in front of a last warp is reported beside what the warp lacks") {
    sumVolatile<<<1, kThreads>>>(OnDevice<int>(kThreads, 1), true);
    INFO(allFindings());
    CHECK(holds(told(), "race: load, eight\n"));
    CHECK(cusim::findings().size() <= 4);
}

TOLERANT_TEST("A __device__ pointer that is null is a null pointer where the line names it, too") {
    throughNull<<<1, 1>>>();
    CHECK(told() == "null-pointer: null\n");
}

TOLERANT_TEST("A value that is read in one line and written in the next is one race") {
    const OnDevice<int> n(1, 0);
    countInTwo<<<1, 64>>>(n);
    CHECK(told() == "race: change\n");
    CHECK(holds(cusim::findings()[0].remedy, "use an atomic"));
    countInTwo<<<20, 64>>>(n);  // one more in each block, and one of blocks
    CHECK(cusim::findings().size() == 3);
}

TOLERANT_TEST("What a refused launch or copy leaves unset is no finding of its own") {
    const OnDevice<int> all(kCapacity);
    fill<<<1, 2048>>>(all, kCapacity);
    std::vector<int> host(kCapacity);
    cudaMemcpy(host.data(), all, 4 * kCapacity, cudaMemcpyDeviceToHost);
    CHECK(onlyFinding().kind == "invalid-launch");
    cusim::reset();
    const OnDevice<int> in(kThreads);
    cudaMemcpy(in, host.data(), 4 * kCapacity, cudaMemcpyHostToDevice);
    barrierInBranch<<<1, kThreads>>>(in, kThreads);
    CHECK(onlyFinding().kind == "wild-copy");
}

TOLERANT_TEST("What a kernel computes from a local variable that nothing has set is found") {
    const auto run = [](int which) {
        cusim::reset();
        const OnDevice<float> x(4, 1.0f), y(8, 0.0f);
        sumsWithoutFirst<<<1, 8>>>(x, y, which);
        std::vector<float> host(8);
        cudaMemcpy(host.data(), y, 32, cudaMemcpyDeviceToHost);  // copy
        return told();
    };
    CHECK(run(0) == kFault);
    CHECK(run(1) == kFault);
    CHECK(run(2) == kRemark);
    CHECK(run(3).empty());
}
