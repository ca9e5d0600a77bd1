#include "kernels_faults.h"

#include <cassert>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>

#include "on_device.h"

namespace faults {
namespace {

constexpr int kBlocks = 6, kThreads = 8;

__constant__ int table[4];

__device__ bool culprit() { return threadIdx.x == 3 && (blockIdx.x == 2 || blockIdx.x >= 4); }

__global__ void readPastEnd(const int* x, int* y) {
    if (culprit()) y[0] = x[kThreads];  // readPastEnd
}
__global__ void writePastEnd(int* x) {
    if (culprit()) x[kThreads] = 1;  // writePastEnd
}
__global__ void readBeforeStart(const int* x, int* y) {
    const int i = threadIdx.x;
    if (culprit()) y[0] = x[i - 4];  // readBeforeStart
}
struct Triple {
    int a, b, c;
};
__global__ void halfOutside(const int* x, int* y) {
    Triple found{};
    if (culprit()) found = *(const Triple*)(x + 6);  // halfOutside
    y[threadIdx.x] = found.a;
}
__global__ void updatePastEnd(int* x) {
    if (culprit()) atomicAdd(&x[kThreads], 1);  // updatePastEnd
}
__global__ void sharedPastEnd(int* y, int last) {
    // Seven bytes before an int, so that the eighth belongs to no array.
    __shared__ char bytes[7];
    __shared__ int behind[2];
    behind[0] = 1;
    for (int i = 0; i < 7; ++i) bytes[i] = 2;
    if (culprit()) last = 7;
    const char* const start = bytes;
    y[threadIdx.x] = start[last] + behind[0];  // sharedPastEnd
}
__global__ void dynamicPastEnd(int* y, int last) {
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    if (culprit()) last = kThreads;
    y[threadIdx.x] = s[last];  // dynamicPastEnd
}
__global__ void dynamicNotGiven(int* y) {
    extern __shared__ int s[];
    if (culprit()) y[0] = s[0];  // dynamicNotGiven
}
__global__ void deref(const int* x, int* y) {
    if (culprit()) y[0] = x[2];  // nullPointer hostPointer wildPointer useAfterFree
}
int onHost = 1;
__global__ void useHostVariable(int* y) {
    if (culprit()) y[0] = onHost;  // hostVariable
}
__global__ void useStaticLocal(int* y) {
    static int kept = 1;
    if (culprit()) y[0] = kept;  // staticLocal
}
__global__ void writeConstant() {
    if (culprit()) table[1] = 2;  // writeConstant
}
__global__ void divide(int* y, int divisor) {
    if (culprit()) divisor = 0;
    y[threadIdx.x] = 12 / divisor;  // divideByZero
}
__device__ __noinline__ int recurse(volatile int* depth) {
    volatile int next = *depth + 1;
    if (next < 0) return 0;
    return recurse(&next) + next;
}
__global__ void overflowStack(int* y) {
    volatile int zero = 0;
    if (culprit()) y[0] = recurse(&zero);
}
__device__ __noinline__ int useHugeArray(int i) {
    volatile char huge[1 << 20];  // more than the stack
    huge[i] = 1;
    return huge[0];
}
__global__ void hugeLocal(int* y) {
    if (culprit()) y[0] = useHugeArray(0);
}
__global__ void failAssertion() {
    assert(!culprit());  // failAssertion
}
// The brackets hide the calls from the translator.
__global__ void callExit() {
    if (culprit()) (exit)(3);  // callExit
}
__global__ void callAbort() {
    if (culprit()) (abort)();  // callAbort
}
__global__ void callTrap() {
    if (culprit()) __trap();  // callTrap
}
__global__ void throwNumber() {
    if (culprit()) throw 7;
}
__global__ void throwError() {
    if (culprit()) throw std::runtime_error("seven");
}
__global__ void divergeAtBarrier() {
    if (culprit())
        __syncthreads();  // divergeAtBarrier
    else
        __syncthreads();  // others
}
__global__ void loneLane(int* y) {
    if (culprit()) y[0] = __shfl_sync(0xffu, 1, 0);  // loneLane
    __syncthreads();                                 // others
}
__global__ void strangeMask(int* y) {
    if (culprit()) y[0] = __any_sync(0xf0u, 1);  // strangeMask
}
using Function = int (*)(int);
__global__ void wildFunction(int* y, Function function) {
    if (culprit()) y[0] = function(1);
}
__global__ void nothing() {}
__global__ void launchFromKernel() {
    if (culprit()) nothing<<<1, 1>>>();  // launchFromKernel
}

__global__ void nearMisses(int* x, int last, int* unused) {
    __shared__ char bytes[7];
    extern __shared__ int s[];
    __shared__ int n;
    if (threadIdx.x < 7) bytes[threadIdx.x] = 1;
    s[threadIdx.x] = 1;
    if (threadIdx.x == 0) n = 1;
    // All threads of a block take the same branch.
    if (blockIdx.x % 2 == 0)
        __syncthreads();
    else
        __syncthreads();
    for (int i = 0; i < 3; ++i) __syncthreads();
    if (unused && last > 100) unused[0] = 1;
    const bool first = threadIdx.x == 0 && blockIdx.x == 0;
    if (first) x[last] = bytes[last - 1] + s[last] + table[3] + 12 / n;
    const char* const text = "constant";
    volatile char local[64 * 1024];
    local[0] = text[7];
    if (threadIdx.x >= 4) return;
    const int sum = __shfl_sync(0x0fu, local[0], 3) + __any_sync(0x0fu, 1);
    if (!first) return;
    x[0] = sum;
    assert(x[last] >= 0);
}

__global__ void square(int* x) { x[threadIdx.x] *= x[threadIdx.x]; }

const int* wild(std::uintptr_t address) { return reinterpret_cast<const int*>(address); }

}  // namespace

void launchWith(const std::string& fault) {
    const OnDevice<int> x(zeros(kThreads)), y(zeros(kThreads));
    const std::map<std::string, std::function<void()>> launches{
        {"readPastEnd", [&] { readPastEnd<<<kBlocks, kThreads>>>(x, y); }},
        {"writePastEnd", [&] { writePastEnd<<<kBlocks, kThreads>>>(x); }},
        {"readBeforeStart", [&] { readBeforeStart<<<kBlocks, kThreads>>>(x, y); }},
        {"halfOutside", [&] { halfOutside<<<kBlocks, kThreads>>>(x, y); }},
        {"updatePastEnd", [&] { updatePastEnd<<<kBlocks, kThreads>>>(x); }},
        {"sharedPastEnd", [&] { sharedPastEnd<<<kBlocks, kThreads>>>(y, 6); }},
        {"dynamicPastEnd", [&] { dynamicPastEnd<<<kBlocks, kThreads, kThreads * 4>>>(y, 7); }},
        {"dynamicNotGiven", [&] { dynamicNotGiven<<<kBlocks, kThreads>>>(y); }},
        {"nullPointer", [&] { deref<<<kBlocks, kThreads>>>(nullptr, y); }},
        {"hostPointer",
         [&] {
             std::vector<int> values(4);
             deref<<<kBlocks, kThreads>>>(values.data(), y);
         }},
        {"hostVariable", [&] { useHostVariable<<<kBlocks, kThreads>>>(y); }},
        {"staticLocal", [&] { useStaticLocal<<<kBlocks, kThreads>>>(y); }},
        {"wildPointer", [&] { deref<<<kBlocks, kThreads>>>(wild(0x123456789000), y); }},
        {"useAfterFree",
         [&] {
             int* d_freed;
             cudaMalloc(&d_freed, 16);
             cudaFree(d_freed);
             deref<<<kBlocks, kThreads>>>(d_freed, y);
         }},
        {"writeConstant", [&] { writeConstant<<<kBlocks, kThreads>>>(); }},
        {"divideByZero", [&] { divide<<<kBlocks, kThreads>>>(y, 3); }},
        {"overflowStack", [&] { overflowStack<<<kBlocks, kThreads>>>(y); }},
        {"hugeLocal", [&] { hugeLocal<<<kBlocks, kThreads>>>(y); }},
        {"failAssertion", [&] { failAssertion<<<kBlocks, kThreads>>>(); }},
        {"callExit", [&] { callExit<<<kBlocks, kThreads>>>(); }},
        {"callAbort", [&] { callAbort<<<kBlocks, kThreads>>>(); }},
        {"callTrap", [&] { callTrap<<<kBlocks, kThreads>>>(); }},
        {"throwNumber", [&] { throwNumber<<<kBlocks, kThreads>>>(); }},
        {"throwError", [&] { throwError<<<kBlocks, kThreads>>>(); }},
        {"divergeAtBarrier", [&] { divergeAtBarrier<<<kBlocks, kThreads>>>(); }},
        {"loneLane", [&] { loneLane<<<kBlocks, kThreads>>>(y); }},
        {"strangeMask", [&] { strangeMask<<<kBlocks, kThreads>>>(y); }},
        {"wildFunction", [&] { wildFunction<<<kBlocks, kThreads>>>(y, nullptr); }},
        {"launchFromKernel", [&] { launchFromKernel<<<kBlocks, kThreads>>>(); }},
    };
    launches.at(fault)();
}

void launchNearMisses() {
    const OnDevice<int> x(zeros(kThreads));
    nearMisses<<<kBlocks, kThreads, kThreads * sizeof(int)>>>(x, kThreads - 1, nullptr);
    cudaGetLastError();
}

bool rightKernelRuns() {
    const OnDevice<int> x(std::vector<int>{1, 2, 3});
    square<<<1, 3>>>(x);
    return cudaGetLastError() == cudaSuccess && x.host() == std::vector<int>{1, 4, 9};
}

}  // namespace faults
