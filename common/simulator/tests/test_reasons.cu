// Tests that the report of an access outside of its array names the array that it means, also far
// away. Tests that calls about no bytes do nothing, and where a barrier is to stand.
#include <string>

#include "chosen_options.h"
#include "findings_text.h"
#include "on_device.h"

namespace {

__device__ int at(const int* p, int i) { return p[i]; }
__global__ void readBy(const int* p, int* y, int i) { *y = at(p, i); }
__global__ void readIn(const int* p, int* y, int i) { *y = p[i]; }
__global__ void readShared(int* y, long i) {
    __shared__ int tile[32];
    tile[threadIdx.x] = 1;
    int* const p = tile;
    *y = p[i];
}

// The first round has no barrier before it.
__global__ void barrierOfSomeRounds(const int*, int* y, int rounds) {
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    for (int i = 0; i < rounds; ++i) {
        if (i > 0) __syncthreads();
        y[threadIdx.x] = s[63 - threadIdx.x];
    }
}

__device__ void fillUpTo(int* s, int n) {
    for (int i = 0; i <= n; ++i) s[i] = i;
}
__global__ void fillsTooMuch(int* y) {
    __shared__ int own[32];
    fillUpTo(own, 32);
    y[0] = own[31];
}
__global__ void fillsTooMuch2(int* y) {
    __shared__ int own[32];
    fillUpTo(own, 32);
    y[0] = own[31];
}

// Launches on the first or the second of two arrays, and returns what is found.
cusim::Finding foundOn(int which, void (*kernel)(const int*, int*, int), int i) {
    cusim::reset();
    int *d_a = nullptr, *d_b = nullptr;
    cudaMalloc(&d_a, 64 * sizeof(int));
    cudaMalloc(&d_b, 64 * sizeof(int));
    cudaMemset(d_a, 0, 64 * sizeof(int));
    cudaMemset(d_b, 0, 64 * sizeof(int));
    kernel<<<1, 1>>>(which == 0 ? d_a : d_b, which == 0 ? d_b : d_a, i);
    return onlyFinding();
}

// Has the name of a kernel of test_bounded.cu's.
__global__ void turnsRound(int* y) {
    __shared__ int own[32];
    own[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = own[31 - threadIdx.x];
}

}  // namespace

DEVICE_TEST("An index of -1 is reported as before the beginning of its array") {
    for (const int which : {0, 1}) {
        const std::string name = which == 0 ? "d_a" : "d_b";
        const cusim::Finding named = foundOn(which, readIn, -1);
        CHECK(named.kind == "out-of-bounds");
        CHECK(holds(named.title, "before the beginning of " + name + ", index -1"));
        // In a function that the kernel calls, the source does not tell the array.
        const cusim::Finding near = foundOn(which, readBy, -1);
        CHECK(near.kind == "out-of-bounds");
        REQUIRE(!near.details.empty());
        CHECK(holds(near.details[0], "1 element before the beginning of " + name));
    }
    CHECK(holds(foundOn(0, readBy, 64).title, "past the end of d_a"));
}

DEVICE_TEST("A wild index into a shared array is reported of that array, wherever it leads") {
    const OnDevice<int> y(1), device(1024);
    for (const long i : {32L, 100000L, 10000000000L, -100000000L}) {
        cusim::reset();
        readShared<<<1, 1>>>(OnDevice<int>(1), i);
        INFO(i << "\n" << allFindings());
        CHECK(onlyFinding().kind == "out-of-bounds");
        CHECK(holds(onlyFinding().title, "of shared array tile"));
    }
    // Into an array of the device.
    cusim::reset();
    int* d_y = nullptr;
    cudaMalloc(&d_y, 4096);
    static thread_local char inShared;
    readShared<<<1, 1>>>(d_y, (reinterpret_cast<char*>(d_y) - &inShared) / 4);
    CHECK(holds(onlyFinding().title, "of shared array tile"));
}

DEVICE_TEST("An allocation of no bytes is a null pointer, and copies of none do nothing") {
    int host = 3;
    int* d_none = &host;
    CHECK(cudaMalloc(&d_none, 0) == cudaSuccess);
    CHECK(d_none == nullptr);
    CHECK(cudaMemcpy(d_none, &host, 0, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(&host, d_none, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(cudaMemcpyAsync(d_none, d_none, 0, cudaMemcpyDeviceToDevice) == cudaSuccess);
    CHECK(cudaMemcpy2D(d_none, 0, &host, 4, 0, 5, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemset(d_none, 1, 0) == cudaSuccess);
    CHECK(cudaFree(d_none) == cudaSuccess);
    CHECK(host == 3);
    checkNothingFound();
    CHECK(cudaMemset(d_none, 1, 4) == cudaErrorInvalidValue);
    CHECK(onlyFinding().kind == "wrong-direction");
}

DEVICE_TEST("An index past a shared array is out of bounds, whichever kernel has the next array") {
    for (const auto kernel : {fillsTooMuch, fillsTooMuch2}) {
        resultOf(kernel, 1, 1, 1);
        CHECK(onlyFinding().kind == "out-of-bounds");
        CHECK(holds(onlyFinding().title, "past the end of shared array own"));
        cusim::reset();
    }
}

DEVICE_TEST("A barrier that lacks in a loop's first round belongs between the two lines") {
    const OnDevice<int> y(64, 0);
    barrierOfSomeRounds<<<1, 64>>>(nullptr, y, 3);
    CHECK(holds(onlyFinding().remedy, "between the two lines, before the loop in lines"));
}

DEVICE_TEST(
    "A kernel of a file's own has its shared array, whatever another file's of that name has") {
    CHECK(resultOf(turnsRound, 32, 1, 32)[0] == 31);
    checkNothingFound();
}
