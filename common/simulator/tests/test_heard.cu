// Tests that accesses for which the compiler writes no hook are found as others are. The statement
// at fault carries a name in a comment, in which a test finds the finding's line.
#include <map>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "findings_text.h"
#include "on_device.h"

// Elsewhere nothing adds what the compiler leaves out (see common/simulator/hooks/hear.py).
#if defined(__x86_64__) && !defined(__clang__)

namespace {

constexpr int kThreads = 4;

struct Three {
    float x, y, z;
};
struct Large {
    int of[100];
};
struct Tail {
    int count;
    int of[1];
};

__device__ float sum(Three one) { return one.x + one.y + one.z; }
__device__ int last(Large one) { return one.of[99]; }
__device__ Three three(float x) { return {x, x, x}; }
__device__ Large large(int x) {
    Large one;
    for (int i = 0; i < 100; ++i) one.of[i] = x;
    return one;
}

__global__ void passes(float* y, Three* p, int at) {
    y[threadIdx.x] = sum(p[at]);  // passes
}
__global__ void returns(float*, Three* p, int at) {
    p[at] = three(1);  // returns
}
__global__ void passesLarge(float* y, Three* p, int at) {
    y[threadIdx.x] = last(reinterpret_cast<Large*>(p)[at]);  // passesLarge
}
__global__ void returnsLarge(float*, Three* p, int at) {
    reinterpret_cast<Large*>(p)[at] = large(1);  // returnsLarge
}
__global__ void clears(float* y, Three*, int at) {
    __builtin_memset(y + 100 * at, 0, 4);  // clears
}
__global__ void compares(float* y, Three*, int at) {
    int word = 1;
    int* const expected = reinterpret_cast<int*>(y) + 100 * at + threadIdx.x;
    __atomic_compare_exchange_n(&word, expected, 2, false, 0, 0);  // compares
}
__global__ void races(float* y, Three*, int at) {
    __shared__ Three s[kThreads];
    const int t = threadIdx.x;
    s[t] = three(t);  // races
    y[t] = sum(s[t ^ (at ? 1 : 0)]);
}
__global__ void unset(float* y, Three*, int at) {
    __shared__ Three s[kThreads];
    const int t = threadIdx.x;
    if (!at) s[t] = three(t);
    y[t] = sum(s[t]);  // unset
}
// The compiler checks no index of an array that ends a structure.
__global__ void overwrites(float* y, Three*, int at) {
    Tail tail;
    tail.count = 1;
    for (int i = 0; i <= 200 * at; ++i) tail.of[i] = 0;  // overwrites
    y[threadIdx.x] = tail.of[0] + tail.count;
}

using Function = float (*)(Three);
// Calls the middle of a function.
__global__ void callsWithin(float* y, Three* p, int at) {
    const Function function = sum;
    y[threadIdx.x] =
        reinterpret_cast<Function>(reinterpret_cast<char*>(function) + at)(*p);  // callsWithin
}

using Kernel = void (*)(float*, Three*, int);
struct Fault {
    Kernel kernel;
    std::string kind;
};

const std::map<std::string, Fault> faults = {
    {"passes", {passes, "out-of-bounds"}},
    {"returns", {returns, "out-of-bounds"}},
    {"passesLarge", {passesLarge, "out-of-bounds"}},
    {"returnsLarge", {returnsLarge, "out-of-bounds"}},
    {"clears", {clears, "out-of-bounds"}},
    {"compares", {compares, "out-of-bounds"}},
    {"races", {races, "race"}},
    {"unset", {unset, "unset-read"}},
    {"callsWithin", {callsWithin, "illegal-address"}},
    {"overwrites", {overwrites, "out-of-bounds"}},
};

// Stores what stands there already.
__global__ void storesAbove(float* y, int at) {
    volatile char* const above = static_cast<char*>(__builtin_frame_address(0)) + at;
    *above = *above;
    y[threadIdx.x] = 1;
}

// Launches with an index beyond what there is, or without.
void launch(Kernel kernel, bool beyond) {
    cusim::reset();
    const OnDevice<float> y(100, 0.0f);
    const OnDevice<Three> p(100, Three{});
    float* const to = y;
    Three* const of = p;
    kernel<<<1, kThreads>>>(to, of, beyond ? 100 : 0);
    cudaDeviceSynchronize();
}

}  // namespace

DEVICE_TEST("An access that no compiler announces is found with its kind and line") {
    for (const auto& [name, fault] : faults) {
        INFO(name);
        launch(fault.kernel, true);
        REQUIRE_FALSE(cusim::findings().empty());
        const cusim::Finding finding = cusim::findings().front();
        INFO(cusim::text(finding));
        CHECK(finding.kind == fault.kind);
        CHECK(marksOf(finding.file, finding.line) == name);
    }
}

DEVICE_TEST("The same accesses within their arrays are no finding") {
    for (const auto& [name, fault] : faults) {
        // All threads store to one place.
        if (name == "returns" || name == "returnsLarge" || name == "clears") continue;
        INFO(name);
        launch(fault.kernel, false);
        CHECK(allFindings() == "");
    }
}

DEVICE_TEST("A kernel stores nothing where the functions that call it have their own") {
    // Below are the frames of the functions that hand over its arguments.
    for (int at = 640; at < 1400; at += 8) {
        cusim::reset();
        INFO(at);
        resultOf(storesAbove, 1, 1, 1, at);
        CHECK_FALSE(cusim::findings().empty());
    }
}

#endif
