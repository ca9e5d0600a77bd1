// Tests what tests may change of a launch: its kernel, its grid, its shared memory, and whether an
// access outside of an array ends it.
#include <string>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"

namespace {

using Ints = std::vector<int>;

__global__ void ones(float* P) { P[threadIdx.x] = 1; }
__global__ void twos(float* P) { P[threadIdx.x] = 2; }
// Runs instead of `ones`, and stores four elements in each thread.
void counted(float* P) {
    for (unsigned i = 0; i < 4; ++i) cusim::store(P + i, cusim::load(P + i) + 3);
}
void storesPastEnd(float* P) { cusim::store(P + 4, 0); }

__global__ void blocks(int* y) { y[blockIdx.x] = gridDim.x; }
__global__ void lastShared(int* y) {
    extern __shared__ int s[];
    s[threadIdx.x] = 5;
    y[threadIdx.x] = s[threadIdx.x];
}

__global__ void past(const int* M, int* P, int by) {
    __shared__ int s[4];
    const int t = threadIdx.x;
    s[t] = M[t + by];
    P[t] = s[t] - M[t + by] + 7;
}
__global__ void storesPast(const int* M, int* P, int by) {
    P[threadIdx.x + by] = M[threadIdx.x];
    P[threadIdx.x] = 7;
}
__global__ void sharedPast(const int* M, int* P, int by) {
    __shared__ int s[4];
    s[threadIdx.x] = M[threadIdx.x];
    __syncthreads();
    P[threadIdx.x] = s[threadIdx.x + by];
}

void forgive(const std::string& access, bool inside = false) {
    cusim::options().forgiven = {access};
    cusim::options().forgivenInside = inside;
}

// Launches 4 threads on arrays of 4 elements, and returns P.
Ints after(void (*kernel)(const int* M, int* P, int by), int by) {
    cusim::reset();
    const OnDevice<int> M(4, 1);
    const OnDevice<int> P(4, 0);
    kernel<<<1, 4>>>(M, P, by);
    return P.host();
}

const Ints kSevens(4, 7);

}  // namespace

DEVICE_TEST("A kernel is exchanged for another one, which counts as the first, until that ends") {
    const auto result = [](auto kernel) { return resultOf<float>(kernel, 4, 1, 4); };
    const auto exchange = [](void (*kernel)(float*), void (*other)(float*)) {
        cusim::exchangeKernel(reinterpret_cast<const void*>(kernel),
                              reinterpret_cast<const void*>(other));
    };
    exchange(ones, twos);
    cusim::reset();
    CHECK(result(ones) == std::vector<float>(4, 2));
    CHECK(onlyLaunch().kernel.find("ones") != std::string::npos);
    CHECK(onlyLaunch().global().stores == 4);
    CHECK(result(twos) == std::vector<float>(4, 2));

    exchange(ones, counted);
    cusim::reset();
    result(ones);
    CHECK(cusim::launches()[0].global().loads == 16);
    CHECK(cusim::launches()[0].global().stores == 16);
    // The four threads store the same elements, and no barrier is between them.
    CHECK(cusim::findings().at(0).kind == "race");
    CHECK(holds(cusim::findings().at(0).kernel, "ones"));

    exchange(ones, storesPastEnd);
    cusim::reset();
    result(ones);
    CHECK(onlyFinding().kind == "out-of-bounds");

    cusim::exchangeKernel(nullptr, nullptr);
    cusim::reset();
    CHECK(result(ones) == std::vector<float>(4, 1));
}

DEVICE_TEST("A launch gets the grid and the shared memory that the options give it") {
    CHECK(resultOf<int>(blocks, 6, 2, 1) == Ints{2, 2, 0, 0, 0, 0});
    cusim::options().grid = dim3(6);
    CHECK(resultOf<int>(blocks, 6, 2, 1) == Ints(6, 6));
    CHECK(cusim::launches().back().grid.x == 6);
    cusim::options().grid = dim3(0);

    const auto shared = [] { return resultOf<int>(lastShared, 4, 1, 4); };
    shared();
    CHECK(onlyFinding().kind == "out-of-bounds");
    cusim::reset();
    cusim::options().leastSharedBytes = 16;
    CHECK(shared() == Ints(4, 5));
    CHECK(onlyLaunch().dynamicSharedBytes == 16);
}

DEVICE_TEST("A kernel goes on after an access that is forgiven, which is not counted") {
    for (const int by : {4, 1 << 20}) {
        forgive("reads P");
        after(past, by - 1);
        CHECK(onlyFinding().kind == "out-of-bounds");
        after(storesPast, by);
        CHECK(onlyFinding().kind == "out-of-bounds");
        forgive("reads M");
        CHECK(after(past, by - 1) == kSevens);
        CHECK(onlyLaunch().global().loads == (by == 4 ? 2 : 0));
        CHECK(onlyLaunch().global().stores == 4);
        forgive("writes P");
        CHECK(after(storesPast, by) == kSevens);
        CHECK(onlyLaunch().global().stores == 4);
    }
    forgive("reads P");
    after(sharedPast, 1);
    CHECK(onlyFinding().kind == "out-of-bounds");
    forgive("reads s");
    cusim::options().unset = false;  // as the element may be one of another shared array
    CHECK(after(sharedPast, 1).at(2) == 1);
    CHECK(cusim::findings().empty());
}

DEVICE_TEST("Nothing is forgiven of memory that the device does not have, or has freed") {
    forgive("reads M");
    after(past, -(1 << 28));
    CHECK(cusim::findings().size() == 1);
    cusim::reset();
    int *M, *P;
    cudaMalloc(&M, 16);
    cudaMalloc(&P, 16);
    cudaFree(M);
    past<<<1, 4>>>(M, P, 0);
    CHECK(onlyFinding().kind == "use-after-free");
}

DEVICE_TEST("Accesses of threads inside of the matrices can be forgiven, and no others") {
    forgive("reads M", true);
    for (const int extent : {2, 4}) {
        cusim::describeMatrix(nullptr, extent, extent);
        after(past, 4);
        CHECK(cusim::findings().empty() == (extent == 4));
        cusim::forgetMatrices();
    }
}
