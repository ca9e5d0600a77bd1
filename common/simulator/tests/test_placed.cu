// Tests where a launch finds the matrices of a test, if their addresses do not tell.
#include <cstring>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"

namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::size_t kBytes = 4 * sizeof(float);

// Loads each element of M once and each element of N twice.
__global__ void sums(const float* M, const float* N, float* P) {
    P[threadIdx.x] = M[threadIdx.x] + N[threadIdx.x] + N[3 - threadIdx.x];
}

float* pinned() {
    float* memory = nullptr;
    cudaMallocHost(&memory, kBytes);
    return memory;
}

// Describes the two factors and the sum to the simulator as long as it lives.
struct Matrices {
    std::vector<float> M, N, P{0, 0, 0, 0};
    Matrices(std::vector<float> m, std::vector<float> n) : M(std::move(m)), N(std::move(n)) {
        cusim::options().countElements = true;
        for (const auto* one : {&M, &N, &P}) cusim::describeHostMemory(one->data(), kBytes);
    }
    ~Matrices() { cusim::forgetHostMemory(); }
};

// Takes pinned memory for all three before device memory.
void throughPinned(Matrices& all) {
    float *const h_M = pinned(), *const h_N = pinned(), *const h_P = pinned();
    std::memcpy(h_M, all.M.data(), kBytes);
    std::memcpy(h_N, all.N.data(), kBytes);
    const OnDevice<float> d_M(4), d_N(4), d_P(4);
    cudaMemcpy(d_M, h_M, kBytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_N, h_N, kBytes, cudaMemcpyHostToDevice);
    sums<<<1, 4>>>(d_M, d_N, d_P);
    cudaMemcpy(h_P, d_P, kBytes, cudaMemcpyDeviceToHost);
    std::memcpy(all.P.data(), h_P, kBytes);
    for (float* const one : {h_M, h_N, h_P}) cudaFreeHost(one);
}

// M goes to device memory by way of other device memory, N straight.
void throughDevice(Matrices& all) {
    const OnDevice<float> first(all.M), d_M(4), d_N(all.N), d_P(4);
    cudaMemcpy(d_M, first, kBytes, cudaMemcpyDeviceToDevice);
    sums<<<1, 4>>>(d_M, d_N, d_P);
    cudaMemcpy(all.P.data(), d_P, kBytes, cudaMemcpyDeviceToHost);
}

void checkPlaces(void (*multiply)(Matrices&), Matrices& all) {
    cusim::guarded([&] { multiply(all); });
    REQUIRE(cusim::launches().size() == 1);
    const cusim::LaunchReport& launch = cusim::launches().front();
    REQUIRE(launch.filledFrom(all.M.data()));
    REQUIRE(launch.filledFrom(all.N.data()));
    REQUIRE(launch.copiedInto(all.P.data()));
    CHECK(launch.filledFrom(all.M.data())->elementLoads == Words(4, 1));
    CHECK(launch.filledFrom(all.N.data())->elementLoads == Words(4, 2));
    CHECK(launch.copiedInto(all.P.data())->elementStores == Words(4, 1));
}

}  // namespace

DEVICE_TEST("A matrix lies where the kernel uses it, though pinned memory holds it as well") {
    Matrices all({1, 2, 3, 4}, {5, 6, 7, 8});
    checkPlaces(throughPinned, all);
}

DEVICE_TEST("Two equal matrices lie in two places") {
    Matrices all({1, 2, 3, 4}, {1, 2, 3, 4});
    checkPlaces(throughPinned, all);
}

DEVICE_TEST("A matrix that is copied from device memory to device memory lies in the second") {
    Matrices all({1, 2, 3, 4}, {1, 2, 3, 4});
    checkPlaces(throughDevice, all);
}
