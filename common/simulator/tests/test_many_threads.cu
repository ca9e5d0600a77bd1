// Tests that a race costs each thread alike however many threads meet at one word: the first race
// of a course is a counter without an atomicAdd, and it must not look like a program that hangs.
#include <ctime>
#include <string>

#include "on_device.h"
#include "tolerant.h"

namespace {

constexpr int kBlocks = 20, kThreads = 1000;

__global__ void counter(int* y) {
    const int old = *y;  // read
    *y = old + 1;        // store
}
__global__ void bins(int* y) { y[threadIdx.x % 8] += 1; }  // bin
__global__ void sharedCounter(int* y) {
    __shared__ int s;
    s = threadIdx.x;                                 // store
    y[8 + blockIdx.x * kThreads + threadIdx.x] = s;  // read
}
__global__ void sameValue(int* y) { *y = 1; }  // store
__global__ void readAndSameValue(int* y) {
    if (*y != 3)  // read
        *y = 3;   // store
}
__global__ void sameByte(int* y) { reinterpret_cast<char*>(y)[1] = 1; }           // store
__global__ void volatiles(int* y) { *(volatile int*)y = *(volatile int*)y + 1; }  // both
__global__ void readBesideAtomic(int* y) {
    if (*y < 5)           // read
        atomicAdd(y, 1);  // add
}
__global__ void storeBesideAtomic(int* y) {
    *y = threadIdx.x;  // store
    atomicAdd(y, 1);   // add
}
__global__ void flags(int* word) {
    volatile int* const y = word;
    __threadfence();
    *y = 1;
    while (*y == 0) {
    }
}
__global__ void counted(int* y) {
    y[1] = threadIdx.x;  // store
    __threadfence();
    atomicAdd(y, 1);
    y[8 + blockIdx.x * kThreads + threadIdx.x] = y[1];  // read
}
__global__ void lock(int* y, bool acquires) {
    while (atomicCAS(y, 0, 1) != 0) {
    }
    if (acquires) __threadfence();
    ++y[1];  // locked
    __threadfence();
    atomicExch(y, 0);
}

// Checks that many threads take seconds of the processor's time at most, and that the findings are
// those of few threads, which begin with `expected`. One worker: on many cores that are busy, the
// workers spend their time in waiting for each other.
template <class... More>
void checkMany(const std::string& expected, void (*kernel)(int*, More...),
               std::common_type_t<More>... more) {
    cusim::options().workers = 1;
    const auto run = [&](int blocks) {
        cusim::reset();
        resultOf<int>(kernel, 8 + kBlocks * kThreads, blocks, kThreads, more...);
        return told();
    };
    const std::string ofFew = run(2);
    const std::clock_t before = std::clock();
    CHECK(run(kBlocks) == ofFew);
    CHECK(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC < 2);
    CHECK(ofFew.substr(0, expected.size()) == expected);
    CHECK(ofFew.empty() == expected.empty());
}

}  // namespace

TOLERANT_TEST("Many threads that race at one word take a time that grows with their number") {
    checkMany("race: store", counter);
    checkMany("race: bin", bins);
    checkMany("race: store", sharedCounter);
    checkMany("race: both", volatiles);
}
TOLERANT_TEST("Many threads that store one value take a time that grows with their number") {
    checkMany("formal-race: store", sameValue);
    checkMany("formal-race: store", sameByte);
    checkMany("formal-race: store, read", readAndSameValue);
}
TOLERANT_TEST("Many plain accesses beside atomics take a time that grows with their number") {
    checkMany("race: add, read", readBesideAtomic);
    checkMany("race: store", storeBesideAtomic);
    checkMany("race: store", counted);
}
TOLERANT_TEST("Many threads that wait for one word take a time that grows with their number") {
    checkMany("", flags);
    checkMany("", lock, true);
    checkMany("formal-race: locked", lock, false);
}
