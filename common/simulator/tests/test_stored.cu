// Tests which values count as a kernel's, in each way in which one may reach the host.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"
#include "simulator/api/report.h"

namespace {

constexpr int kCount = 4;
constexpr std::size_t kBytes = kCount * sizeof(float);
__device__ float variable[kCount];

__global__ void store(float* x, float first) { x[threadIdx.x] = first + threadIdx.x; }
__global__ void storeInVariable() { variable[threadIdx.x] = 1.5f + threadIdx.x; }
__global__ void add(float* x) { atomicAdd(&x[threadIdx.x], 1.5f + threadIdx.x); }

using Values = std::vector<float>;
// A way in which the values 1.5, 2.5, 3.5 and 4.5 reach the host.
using Way = std::pair<const char*, std::function<Values()>>;

Values stored(float first) { return resultOf(store, kCount, 1, kCount, first); }

Values made() {
    Values values(kCount);
    std::iota(values.begin(), values.end(), 1.5f);
    return values;
}

// Returns what the host reads of managed memory after a kernel's stores.
template <class Read>
Values throughManaged(float first, Read read) {
    float* x;
    cudaMallocManaged(&x, kBytes);
    store<<<1, kCount>>>(x, first);
    cudaDeviceSynchronize();
    const Values values = read(x);
    cudaFree(x);
    return values;
}

Values ofVariable() {
    Values values(kCount);
    cudaMemcpyFromSymbol(values.data(), variable, kBytes);
    return values;
}

const std::vector<Way> kOfKernels = {
    {"copied", [] { return stored(1.5f); }},
    {"copied, and turned round on the host",
     [] {
         const Values values = stored(1.5f);
         return Values(values.rbegin(), values.rend());
     }},
    {"copied on the device first",
     [] {
         const OnDevice<float> first(kCount), second(kCount);
         store<<<1, kCount>>>(first, 1.5f);
         cudaMemcpy(second, first, kBytes, cudaMemcpyDeviceToDevice);
         return second.host();
     }},
    {"added to zeros by atomics", [] { return resultOf(add, kCount, 1, kCount); }},
    {"managed memory",
     [] { return throughManaged(1.5f, [](float* x) { return Values(x, x + kCount); }); }},
    {"a variable",
     [] {
         storeInVariable<<<1, kCount>>>();
         return ofVariable();
     }},
};

const std::vector<Way> kOfTheHost = {
    {"nothing launched", made},
    {"another kernel's values copied",
     [] {
         stored(10.0f);
         return made();
     }},
    {"sent through device memory",
     [] {
         const OnDevice<float> memory(kCount);
         store<<<1, kCount>>>(memory, 10.0f);
         cudaMemcpy(memory, made().data(), kBytes, cudaMemcpyHostToDevice);
         return memory.host();
     }},
    {"sent through managed memory",
     [] {
         return throughManaged(10.0f, [](float* x) {
             Values values = made();
             std::copy(values.begin(), values.end(), x);
             cudaMemcpy(values.data(), x, kBytes, cudaMemcpyDefault);
             return values;
         });
     }},
    {"sent through a variable",
     [] {
         storeInVariable<<<1, 1>>>();
         Values values = made();
         values[0] = 9;
         cudaMemcpyToSymbol(variable, values.data(), kBytes);
         return ofVariable();
     }},
};

int missing(const Values& values) {
    return static_cast<int>(cusim::notStoredByKernels(values.data(), kCount));
}

void checkMissing(const std::vector<Way>& ways, int expected) {
    for (const auto& [name, way] : ways) {
        const ChosenOptions chosen;
        INFO(name);
        CHECK(missing(way()) == expected);
    }
}

}  // namespace

TEST_CASE("Values that a kernel has stored are known, whichever way the host gets them") {
    checkMissing(kOfKernels, 0);
}

TEST_CASE("Values that the host has made are no kernel's, whichever way they take") {
    checkMissing(kOfTheHost, kCount);
}

DEVICE_TEST("What kernels have stored is forgotten at a reset, and carried by a report") {
    const Values values = stored(1.5f);
    const cusim::Report report = cusim::currentReport();
    cusim::reset();
    CHECK(missing(values) == kCount);
    cusim::restore(report);
    CHECK(missing(values) == 0);
}

TEST_CASE("A device that changes what kernels store leaves values of the host as they are") {
    for (const bool ofKernels : {true, false})
        for (const auto& [name, way] : ofKernels ? kOfKernels : kOfTheHost) {
            const ChosenOptions chosen;
            INFO(name);
            Values expected = way();
            for (float& value : expected) value = std::nextafter(value, ofKernels ? 9.0f : value);
            cusim::reset();
            cusim::options().changesStored = true;
            CHECK(way() == expected);
        }
}

DEVICE_TEST("A zero may come from anywhere") {
    const float zeros[] = {0.0f, -0.0f};
    CHECK(cusim::notStoredByKernels(zeros, 2) == 0);
}
