// Tests that a report says where a missing barrier belongs, and which barrier is in a branch.
#include <string>

#include "findings_text.h"
#include "on_device.h"

namespace {

constexpr int kThreads = 64;

__global__ void tileInPhases(int* y) {
    __shared__ int s[kThreads];
    int sum = 0;
    for (int phase = 0; phase < 2; ++phase) {
        s[threadIdx.x] = y[threadIdx.x];
        __syncthreads();
        for (int k = 0; k < kThreads; ++k) {
            sum += s[k];
        }
    }
    y[threadIdx.x] = sum;
}
__global__ void tileWithoutFirst(int* y) {
    __shared__ int s[kThreads];
    s[threadIdx.x] = y[threadIdx.x];
    int sum = 0;
    for (int k = 0; k < kThreads; ++k) {
        sum += s[k];
    }
    y[threadIdx.x] = sum;
}
__global__ void treeWithoutBarriers(int* y) {
    __shared__ int s[kThreads];
    const int t = static_cast<int>(threadIdx.x);
    s[t] = y[t];
    for (int kb = kThreads / 2; kb > 0; kb /= 2) {
        if (t < kb) {
            s[t] += s[t + kb];
        }
    }
    y[t] = s[0];
}
__global__ void treeOfStrides(int* y) {
    __shared__ int s[kThreads];
    const int t = static_cast<int>(threadIdx.x);
    s[t] = y[t];
    __syncthreads();
    for (int kb = kThreads / 2; kb > 0; kb /= 2)
        for (int i = t; i < kb; i += static_cast<int>(blockDim.x)) s[i] += s[i + kb];
    y[t] = s[0];
}
__global__ void roundOfTwoParts(int* y) {
    __shared__ int s[kThreads];
    const int t = static_cast<int>(threadIdx.x);
    for (int round = 0; round < 2; ++round) {
        __syncthreads();
        if (t < 48) {
            s[t] = y[t];
            y[64 + t] = s[47 - t];
        }
    }
}

__global__ void halfOfWarpWaits(int* y) {
    if (threadIdx.x >= 16) {
        __syncthreads();  // half
    }
    y[threadIdx.x] = 1;
    __syncthreads();
}
__global__ void continues(int* y) {
    for (int round = 0; round < 2; ++round) {
        __syncthreads();
        if (threadIdx.x < 16) continue;
        y[threadIdx.x] = 1;
        __syncthreads();  // passed
    }
}

// Returns the remedies of all findings.
std::string remediesOf(void (*kernel)(int*)) {
    cusim::reset();
    resultOf(kernel, 256, 1, kThreads);
    std::string all;
    for (const cusim::Finding& one : cusim::findings()) all += one.remedy + "\n";
    return all;
}

}  // namespace

DEVICE_TEST("A barrier that lacks is put outside of an inner loop or an if") {
    CHECK(holds(remediesOf(tileInPhases), "Put a __syncthreads() after the loop in lines"));
    CHECK(holds(remediesOf(tileWithoutFirst), "between the two lines, before the loop in lines"));
    const std::string tree = remediesOf(treeWithoutBarriers);
    CHECK(holds(tree, "at the start of each round of the loop in line"));
    CHECK(holds(tree, "each of its rounds, before or after the if in lines"));
    CHECK(holds(remediesOf(treeOfStrides), "each of its rounds, before or after the loop in line"));
    CHECK(holds(remediesOf(roundOfTwoParts), "End it after line"));
}

DEVICE_TEST("Of barriers at which threads wait apart the one in a branch is named") {
    CHECK(holds(remediesOf(halfOfWarpWaits), " excludes some threads: if (threadIdx.x >= 16)."));
    CHECK(holds(text(onlyFinding()), "// half"));
    CHECK(holds(remediesOf(continues), "The continue in line"));
    CHECK(holds(text(onlyFinding()), "// passed"));
}
