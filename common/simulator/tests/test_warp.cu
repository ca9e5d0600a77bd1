// Tests what threads exchange through barriers, warp functions and atomics, and the requests of
// their warps to constant memory.
#include <algorithm>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"

namespace {

using Ints = std::vector<int>;
constexpr unsigned kAll = 0xffffffffu;

__global__ void blockVotesKernel(int* y, int below, int gone) {
    const int t = threadIdx.x, n = blockDim.x;
    if (t < gone) return;
    y[t] = __syncthreads_count(t < below);
    y[n + t] = __syncthreads_and(t < below);
    y[2 * n + t] = __syncthreads_or(t < below);
}

// clang-format off
__global__ void barriersOnOneLineKernel(int* y) {
    y[threadIdx.x] = 1;
    if (threadIdx.x < 7) __syncthreads(); else __syncthreads();
}
// clang-format on

enum Shuffle { Direct, Up, Down, Xor };
__global__ void shuffleKernel(int* y, Shuffle which, int operand, int width) {
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

template <class... Values>
void append(std::vector<double>& all, const Values&... values) {
    (all.insert(all.end(), values.begin(), values.end()), ...);
}

// Returns what each kind of atomic leaves in memory, then what the threads' atomicAdd returned.
std::vector<double> atomics(int blocks, int threads) {
    const OnDevice<int> ints({0, 1000, 1000, -1, -1, 0, 0, 0});
    const OnDevice<unsigned> unsigneds(std::vector<unsigned>{0, 9});
    const OnDevice<unsigned long long> wide(1, 1);
    const OnDevice<float> real(1, 0);
    const OnDevice<double> precise(1, 0);
    const OnDevice<int> old(blocks * threads);
    atomicsKernel<<<blocks, threads>>>(ints, unsigneds, wide, real, precise, old);
    std::vector<int> oldValues = old.host();
    std::sort(oldValues.begin(), oldValues.end());
    std::vector<double> all;
    append(all, ints.host(), unsigneds.host(), wide.host(), real.host(), precise.host(), oldValues);
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
    std::vector<double> all;
    append(all, i,
           std::vector<double>{double(incremented), double(decremented), wide, real, precise},
           oldValues);
    return all;
}

struct Received {
    int operand, width, lane, expected;
};

// Checks which lane's value a lane of a full warp receives.
void checkShuffle(Shuffle which, const std::vector<Received>& rows) {
    for (const auto& [operand, width, lane, expected] : rows) {
        INFO("lane " << lane << " with " << operand << " in segments of " << width);
        const Ints all = resultOf(shuffleKernel, 64, 1, 64, which, operand, width);
        CHECK(all[lane] == all[32 + lane]);
        CHECK(all[lane] - 100 == expected);
    }
    checkNothingFound();
}

__constant__ double table[64];
__constant__ float scale;
__constant__ float weights[32];

__global__ void groupsKernel(double* y, int group) { y[threadIdx.x] = table[threadIdx.x / group]; }

__global__ void oneOfEachKernel(const float* x, float* y) {
    float value = scale;
    value += weights[threadIdx.x];
    value += x[threadIdx.x];
    y[threadIdx.x] = value;
}

const cusim::WarpReport& requestsTo(const std::string& name) {
    for (const cusim::ArrayReport& array : onlyLaunch().arrays)
        if (array.name == name) return array.warps;
    FAIL("no array " << name);
    throw;
}

}  // namespace

TEST_CASE("Barriers with a vote tell every thread the same") {
    underEachSchedule([] {
        for (const int below : {0, 5, 40}) {
            INFO(below << " of 40");
            const Ints votes = resultOf(blockVotesKernel, 3 * 40, 1, 40, below, 0);
            CHECK(Ints(votes.begin(), votes.begin() + 40) == Ints(40, below));
            CHECK(Ints(votes.begin() + 40, votes.begin() + 80) == Ints(40, below == 40));
            CHECK(Ints(votes.begin() + 80, votes.end()) == Ints(40, below > 0));
            CHECK(cusim::launches().back().barriersPerThread == 3);
            CHECK(cusim::launches().back().barriers == 120);
        }
        checkNothingFound();
    });
}

DEVICE_TEST("A barrier does not wait for threads that have returned") {
    const Ints votes = resultOf(blockVotesKernel, 3 * 40, 1, 40, 40, 33);
    CHECK(votes[32] == 0);
    CHECK(votes[33] == 7);
    CHECK(votes[39] == 7);
    CHECK(votes[40 + 33] == 1);
    CHECK(cusim::launches().back().completed);
    CHECK(cusim::launches().back().barriers == 3 * 7);
}

DEVICE_TEST("Two barriers on one line are two, which the report tells apart by columns") {
    resultOf(barriersOnOneLineKernel, 40, 1, 40);
    REQUIRE(cusim::findings().size() == 1);
    const cusim::Finding& finding = cusim::findings()[0];
    CHECK(finding.kind == "barrier-divergence");
    REQUIRE(finding.details.size() == 2);
    CHECK(finding.details[0].find(", column ") != std::string::npos);
    CHECK(finding.details[0].substr(10) != finding.details[1].substr(10));
    CHECK(finding.others.size() == 2);
}

DEVICE_TEST("A barrier that threads have skipped by returning is reported with its line") {
    resultOf(blockVotesKernel, 3 * 40, 1, 40, 40, 33);
    REQUIRE(cusim::findings().size() == 3);
    for (const cusim::Finding& finding : cusim::findings()) {
        CHECK(finding.kind == "barrier-divergence");
        CHECK(finding.title.rfind("some threads do not reach this barrier", 0) == 0);
        CHECK(finding.count == 1);
        REQUIRE(finding.details.size() == 2);
        CHECK(finding.details[0] == "for example thread (0,0,0) of block (0,0,0)");
        CHECK(finding.details[1] == "blocks passed it 1 time without all their threads");
    }
    CHECK(cusim::findings()[0].line < cusim::findings()[2].line);
}

DEVICE_TEST("A shuffle reads the lane that it names, in its own segment") {
    checkShuffle(Direct, {{5, 32, 0, 5},
                          {5, 32, 31, 5},
                          {37, 32, 0, 5},
                          {3, 16, 4, 3},
                          {3, 16, 20, 19},
                          {18, 16, 20, 18}});
}

DEVICE_TEST("A shuffle up or down stops at the end of its segment") {
    checkShuffle(Up,
                 {{1, 32, 0, 0}, {1, 32, 1, 0}, {4, 32, 31, 27}, {4, 16, 18, 18}, {4, 16, 20, 16}});
    checkShuffle(
        Down,
        {{1, 32, 31, 31}, {1, 32, 30, 31}, {4, 16, 12, 12}, {4, 16, 11, 15}, {4, 16, 16, 20}});
}

DEVICE_TEST("A shuffle by exclusive or reads its own or an earlier segment") {
    checkShuffle(
        Xor, {{1, 32, 6, 7}, {31, 32, 0, 31}, {3, 16, 17, 18}, {16, 16, 2, 2}, {16, 16, 18, 2}});
}

DEVICE_TEST("A shuffle moves 8 bytes as well") {
    const std::vector<double> all = resultOf(shuffleDoubles, 32, 1, 32);
    CHECK(all[0] == 0.5);
    CHECK(all[30] == 15.5);
    CHECK(all[31] == 15.5);
}

TEST_CASE("Votes tell every lane of a warp the same") {
    underEachSchedule([] {
        const std::vector<unsigned> votes = resultOf(warpVotesKernel, 5 * 64, 1, 64);
        for (int t = 0; t < 64; ++t) {
            INFO("thread " << t);
            CHECK(votes[t] == 0x55555555u);
            CHECK(votes[64 + t] == 1);
            CHECK(votes[128 + t] == 0);
            CHECK(votes[192 + t] == 0);
            CHECK(votes[256 + t] == 1);
        }
        checkNothingFound();
    });
}

DEVICE_TEST("Lanes that have returned, or never were, do not vote") {
    CHECK(resultOf(ballotOfTheRestKernel, 1, 1, 32, 4)[0] == 0xfffffff0u);
    CHECK(resultOf(ballotOfTheRestKernel, 1, 1, 20, 0)[0] == 0x000fffffu);
    CHECK(resultOf(activeMasksKernel, 40, 1, 40)[0] == 0xffffffffu);
    checkNothingFound();
}

TEST_CASE("Lanes exchange values through shared memory around a warp barrier") {
    underEachSchedule([] {
        const Ints y = resultOf(exchangeKernel, 32, 1, 32);
        for (int lane = 0; lane < 32; ++lane) CHECK(y[lane] == (lane ^ 1));
        checkNothingFound();
    });
}

DEVICE_TEST("Two halves of a warp can call warp functions apart, each with its mask") {
    const Ints y = resultOf(halfWarpsKernel, 32, 1, 32);
    for (int lane = 0; lane < 16; ++lane) CHECK(y[lane] == 15 - lane);
    for (int lane = 16; lane < 32; ++lane) CHECK(y[lane] == 16);
    checkNothingFound();
}

TEST_CASE("A block reduces by shuffles and one barrier") {
    for (const int threads : {32, 64, 256, 1024}) {
        const ChosenOptions chosen;
        CHECK(resultOf(reduceKernel, 1, 1, threads)[0] ==
              static_cast<float>(threads * (threads + 1) / 2));
        CHECK(cusim::launches().back().barriersPerThread == 1);
        checkNothingFound();
    }
}

TEST_CASE("Atomics give what a serial loop gives, with any number of workers") {
    const std::vector<double> expected = serialAtomics(20, 48);
    underEachSchedule([&] {
        CHECK(atomics(20, 48) == expected);
        checkNothingFound();
    });
}

TEST_CASE("A loop of compare-and-swap loses no step") {
    for (const int workers : {1, 2, 5}) {
        const ChosenOptions chosen(workers);
        CHECK(resultOf(compareAndSwapKernel, 1, 10, 40)[0] == 400);
        CHECK(__longlong_as_double(resultOf(addDoublesKernel, 1, 10, 40)[0]) == 10 * 40 * 39 / 2);
        checkNothingFound();
    }
}

DEVICE_TEST("A request to constant memory takes a pass for each different address") {
    for (const int group : {1, 2, 4, 8, 16, 32}) {
        INFO("groups of " << group);
        cusim::reset();
        resultOf(groupsKernel, 64, 1, 64, group);
        const cusim::WarpReport& warps = onlyLaunch().warps;
        CHECK(warps.constantRequests == 2);
        CHECK(warps.constantPasses == static_cast<std::uint64_t>(2 * 32 / group));
    }
}

DEVICE_TEST("A warp that is not full asks for the addresses of its own lanes") {
    resultOf(groupsKernel, 40, 1, 40, 1);
    CHECK(onlyLaunch().warps.constantRequests == 2);
    CHECK(onlyLaunch().warps.constantPasses == 40);
}

DEVICE_TEST("Requests to constant memory are counted by array and apart from global memory") {
    const OnDevice<float> x(32, 0.0f), y(32);
    oneOfEachKernel<<<1, 32>>>(x, y);
    CHECK(requestsTo("scale").constantRequests == 1);
    CHECK(requestsTo("scale").constantPasses == 1);
    CHECK(requestsTo("weights").constantRequests == 1);
    CHECK(requestsTo("weights").constantPasses == 32);
    CHECK(requestsTo("weights").globalRequests == 0);
    const cusim::WarpReport& all = onlyLaunch().warps;
    CHECK(all.constantRequests == 2);
    CHECK(all.constantPasses == 33);
    CHECK(all.globalRequests == 2);
    CHECK(all.sectors == 8);
}
