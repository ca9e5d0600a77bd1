#include "kernels_warp.h"

#include <algorithm>

#include "on_device.h"

namespace warps {
namespace {

constexpr unsigned kAll = 0xffffffffu;

__global__ void blockVotesKernel(int* y, int below, int gone) {
    const int t = threadIdx.x, n = blockDim.x;
    if (t < gone) return;
    y[t] = __syncthreads_count(t < below);
    y[n + t] = __syncthreads_and(t < below);
    y[2 * n + t] = __syncthreads_or(t < below);
}

__global__ void shuffleKernel(int* y, int which, int operand, int width) {
    const int value = 100 + threadIdx.x % 32;
    int got = 0;
    if (which == Direct) got = __shfl_sync(kAll, value, operand, width);
    if (which == Up) got = __shfl_up_sync(kAll, value, operand, width);
    if (which == Down) got = __shfl_down_sync(kAll, value, operand, width);
    if (which == Xor) got = __shfl_xor_sync(kAll, value, operand, width);
    y[threadIdx.x] = got;
}

__global__ void shuffleDoubles(double* y) {
    y[threadIdx.x] = __shfl_down_sync(kAll, threadIdx.x / 2.0, 1);
}

__global__ void warpVotesKernel(unsigned* y) {
    const int t = threadIdx.x, n = blockDim.x;
    const bool even = t % 2 == 0;
    y[t] = __ballot_sync(kAll, even);
    y[n + t] = __any_sync(kAll, even);
    y[2 * n + t] = __all_sync(kAll, even);
    y[3 * n + t] = __any_sync(kAll, 0);
    y[4 * n + t] = __all_sync(kAll, 5);
}

__global__ void ballotOfTheRestKernel(unsigned* y, int gone) {
    if (static_cast<int>(threadIdx.x) < gone) return;
    unsigned votes = __ballot_sync(kAll, 1);
    if (threadIdx.x == blockDim.x - 1) *y = votes;
}

__global__ void activeMasksKernel(unsigned* y) { y[threadIdx.x] = __activemask(); }

__global__ void exchangeKernel(int* y) {
    __shared__ int s[32];
    const int lane = threadIdx.x;
    s[lane] = lane;
    __syncwarp();
    y[lane] = s[lane ^ 1];
}

__global__ void halfWarpsKernel(int* y) {
    const int lane = threadIdx.x;
    if (lane < 16)
        y[lane] = __shfl_xor_sync(0x0000ffffu, lane, 15);
    else
        y[lane] = __shfl_sync(0xffff0000u, lane, 16);
}

__global__ void reduceKernel(float* y) {
    __shared__ float perWarp[32];
    float v = threadIdx.x + 1;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(kAll, v, d);
    if (threadIdx.x % 32 == 0) perWarp[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    v = threadIdx.x < blockDim.x / 32 ? perWarp[threadIdx.x] : 0.0f;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(kAll, v, d);
    if (threadIdx.x == 0) *y = v;
}

__global__ void atomicsKernel(int* i, unsigned* u, unsigned long long* w, float* f, double* d,
                              int* old) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    old[t] = atomicAdd(&i[0], 3);
    atomicSub(&i[1], t);
    atomicMin(&i[2], 50 - t);
    atomicMax(&i[3], 2 * t);
    atomicAnd(&i[4], ~(1 << t % 20));
    atomicOr(&i[5], 1 << t % 17);
    atomicXor(&i[6], t * 7);
    atomicExch(&i[7], 77);
    atomicInc(&u[0], 6u);
    atomicDec(&u[1], 4u);
    atomicAdd(w, 1ull << 33);
    atomicAdd(f, static_cast<float>(t % 5));
    atomicAdd(d, 0.5);
}

__global__ void compareAndSwapKernel(int* count) {
    int seen = atomicAdd(count, 0), expected;
    do {
        expected = seen;
        seen = atomicCAS(count, expected, expected + 1);
    } while (seen != expected);
}

// Adds doubles as the CUDA C++ Programming Guide does, "Atomic functions".
__global__ void addDoublesKernel(unsigned long long* sum) {
    unsigned long long seen = atomicAdd(sum, 0), expected;
    do {
        expected = seen;
        seen = atomicCAS(sum, expected,
                         __double_as_longlong(threadIdx.x + __longlong_as_double(expected)));
    } while (seen != expected);
}

}  // namespace

std::vector<int> blockVotes(int threads, int below) {
    const OnDevice<int> y(zeros(3 * threads));
    blockVotesKernel<<<1, threads>>>(y, below, 0);
    return y.host();
}
std::vector<int> votesOfTheRest(int threads, int gone) {
    const OnDevice<int> y(zeros(3 * threads));
    blockVotesKernel<<<1, threads>>>(y, threads, gone);
    return y.host();
}
std::vector<int> shuffle(Shuffle which, int operand, int width, int threads) {
    const OnDevice<int> y(threads);
    shuffleKernel<<<1, threads>>>(y, which, operand, width);
    return y.host();
}
std::vector<double> shuffledDoubles() {
    const OnDevice<double> y(32);
    shuffleDoubles<<<1, 32>>>(y);
    return y.host();
}
std::vector<unsigned> warpVotes(int threads) {
    const OnDevice<unsigned> y(5 * threads);
    warpVotesKernel<<<1, threads>>>(y);
    return y.host();
}
unsigned ballotOfTheRest(int threads, int gone) {
    const OnDevice<unsigned> y(1);
    ballotOfTheRestKernel<<<1, threads>>>(y, gone);
    return y.host()[0];
}
std::vector<unsigned> activeMasks(int threads) {
    const OnDevice<unsigned> y(threads);
    activeMasksKernel<<<1, threads>>>(y);
    return y.host();
}
std::vector<int> exchangeThroughShared() {
    const OnDevice<int> y(32);
    exchangeKernel<<<1, 32>>>(y);
    return y.host();
}
std::vector<int> halfWarps() {
    const OnDevice<int> y(32);
    halfWarpsKernel<<<1, 32>>>(y);
    return y.host();
}
float reduceBlock(int threads) {
    const OnDevice<float> y(1);
    reduceKernel<<<1, threads>>>(y);
    return y.host()[0];
}

template <class Values>
void append(std::vector<double>& all, const Values& values) {
    all.insert(all.end(), values.begin(), values.end());
}

std::vector<double> atomics(int blocks, int threads) {
    const OnDevice<int> ints(std::vector<int>{0, 1000, 1000, -1, -1, 0, 0, 0});
    const OnDevice<unsigned> unsigneds(std::vector<unsigned>{0, 9});
    const OnDevice<unsigned long long> wide(std::vector<unsigned long long>{1});
    const OnDevice<float> real(std::vector<float>{0});
    const OnDevice<double> precise(std::vector<double>{0});
    const OnDevice<int> old(blocks * threads);
    atomicsKernel<<<blocks, threads>>>(ints, unsigneds, wide, real, precise, old);
    std::vector<int> oldValues = old.host();
    std::sort(oldValues.begin(), oldValues.end());
    std::vector<double> all;
    append(all, ints.host());
    append(all, unsigneds.host());
    append(all, wide.host());
    append(all, real.host());
    append(all, precise.host());
    append(all, oldValues);
    return all;
}

std::vector<double> serialAtomics(int blocks, int threads) {
    std::vector<int> i{0, 1000, 1000, -1, -1, 0, 0, 77}, oldValues;
    unsigned incremented = 0, decremented = 9;
    double wide = 1, real = 0, precise = 0;
    for (int t = 0; t < blocks * threads; ++t) {
        oldValues.push_back(i[0]);
        i[0] += 3;
        i[1] -= t;
        i[2] = std::min(i[2], 50 - t);
        i[3] = std::max(i[3], 2 * t);
        i[4] &= ~(1 << t % 20);
        i[5] |= 1 << t % 17;
        i[6] ^= t * 7;
        incremented = incremented >= 6 ? 0 : incremented + 1;
        decremented = decremented == 0 || decremented > 4 ? 4 : decremented - 1;
        wide += 1ull << 33;
        real += t % 5;
        precise += 0.5;
    }
    std::vector<double> all(i.begin(), i.end());
    append(all, std::vector<double>{double(incremented), double(decremented), wide, real, precise});
    append(all, oldValues);
    return all;
}

int countByCompareAndSwap(int blocks, int threads) {
    const OnDevice<int> count(zeros(1));
    compareAndSwapKernel<<<blocks, threads>>>(count);
    return count.host()[0];
}
double sumByCompareAndSwap(int blocks, int threads) {
    const OnDevice<unsigned long long> sum(std::vector<unsigned long long>{0});
    addDoublesKernel<<<blocks, threads>>>(sum);
    return __longlong_as_double(sum.host()[0]);
}

}  // namespace warps
