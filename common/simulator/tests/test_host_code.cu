// Tests right host code, the limits of launches, and calls that are made to fail.
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"
#include "simulator/engine/host_blocks.h"

namespace {

__constant__ float filter[4];

__global__ void nothing() {}
__global__ void touch(float* x) { x[threadIdx.x] = 1; }
__global__ void take16KiB(float* y) {
    __shared__ float s[4096];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    *y = s[0];
}

void copyThere() {
    constexpr std::size_t kBytes = 16;
    float onHost[4] = {};
    float *d_x, *managed, *pinned;
    cudaMalloc(&d_x, kBytes);
    cudaMallocManaged(&managed, kBytes);
    cudaMallocHost(&pinned, kBytes);
    managed[3] = pinned[3] = 1;
    cudaMemcpy(d_x, onHost, kBytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_x + 1, onHost + 1, kBytes - 4, cudaMemcpyDefault);
    cudaMemcpy(d_x + 3, d_x, 4, cudaMemcpyDeviceToDevice);
    cudaMemcpy(d_x, pinned, kBytes, cudaMemcpyHostToDevice);
    cudaMemcpy(managed, d_x, kBytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(managed, d_x, kBytes, cudaMemcpyDeviceToDevice);
    cudaMemcpy(onHost, pinned, kBytes, cudaMemcpyHostToHost);
    cudaMemcpy(d_x, onHost, 0, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(filter, onHost, 4, 12);
    cudaMemset(d_x + 3, 0, 4);
    touch<<<1, 4>>>(d_x);
    cudaGetLastError();
    cudaFree(nullptr);
    cudaFree(d_x);
    cudaFree(managed);
    cudaFreeHost(pinned);
}

template <class Kernel>
cudaError_t allow(Kernel kernel, int bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
// Returns what a variable holds that nothing has set.
int unset() {
    int values[100];
    return values[50];
}
#pragma GCC diagnostic pop

// Leaves this value on the stack.
int leave(int value) {
    volatile int values[1000];
    for (auto& one : values) one = value;
    return values[0];
}

struct Counter {
    static thread_local int count;
};
thread_local int Counter::count = 3;
thread_local std::string outside = "a text that is too long for a string itself";

}  // namespace

DEVICE_TEST("Right host code leaves no finding") {
    CHECK(cusim::guarded(copyThere).how == cusim::Outcome::Returned);
    checkNothingFound();
    CHECK(cudaGetLastError() == cudaSuccess);
}

DEVICE_TEST("A host variable that nothing has set never happens to hold what fits") {
    for (const int before : {0, 1, 100}) {
        int held = leave(before);
        cusim::guarded([&] { held = unset(); });
        CHECK(held > 1000000000);
    }
}

DEVICE_TEST("A thread_local variable of host code is no shared memory") {
    static thread_local int inside = 5;
    thread_local std::string text = "another text that is too long for a string itself";
    outside += "!";
    resultOf(take16KiB, 1, 2, 32);
    CHECK(inside == 5);
    CHECK(Counter::count == 3);
    CHECK(text.substr(0, 12) == "another text");
    CHECK(outside.substr(0, 6) == "a text");
}

DEVICE_TEST("Launch shapes are accepted up to the device's limits and refused beyond them") {
    const std::pair<dim3, dim3> accepted[] = {
        {1, 1024}, {1, {1, 1024}}, {1, {16, 1, 64}}, {{1, 65535}, 1}, {70000, 1}};
    const std::pair<dim3, dim3> refused[] = {
        {1, 1025},       {1, {1, 1025}},     {1, {33, 32}},   {1, {1, 1, 65}}, {1, {65536, 65536}},
        {1, 0},          {1, {1, 1, 0}},     {0, 1},          {{1, 0}, 1},     {{1, 1, 0}, 1},
        {{1, 65536}, 1}, {{1, 1, 65536}, 1}, {2147483648u, 1}};
    const auto check = [](dim3 grid, dim3 block, bool good) {
        INFO(grid.x << "," << grid.y << "," << grid.z << " x " << block.x << "," << block.y << ","
                    << block.z);
        cusim::reset();
        nothing<<<grid, block>>>();
        CHECK(cudaGetLastError() == (good ? cudaSuccess : cudaErrorInvalidConfiguration));
        CHECK(cusim::findings().size() == (good ? 0u : 1u));
        REQUIRE(cusim::launches().size() == 1);
        CHECK(cusim::launches()[0].completed == good);
        // A refused launch leaves the device usable.
        CHECK(cudaDeviceSynchronize() == cudaSuccess);
    };
    for (const auto& [grid, block] : accepted) check(grid, block, true);
    for (const auto& [grid, block] : refused) check(grid, block, false);
}

DEVICE_TEST("A launch without threads asks for a quotient, one of too many for the order") {
    const auto remedyFor = [](unsigned grid, unsigned block) {
        cusim::reset();
        nothing<<<grid, block>>>();
        return onlyFinding().remedy;
    };
    CHECK(holds(remedyFor(0, 32), "divide and round up"));
    CHECK(holds(remedyFor(32, 0), "divide and round up"));
    CHECK(holds(remedyFor(256, 2000), "it is <<<grid, block>>>"));
    CHECK(holds(remedyFor(1025, 2000), "Launch smaller blocks, and more of them. "));
}

DEVICE_TEST("More than 48 KiB of shared memory need an attribute first") {
    nothing<<<1, 1, 48 * 1024>>>();
    CHECK(cudaGetLastError() == cudaSuccess);
    nothing<<<1, 1, 48 * 1024 + 1>>>();
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(onlyFinding().kind == "invalid-launch");
    CHECK(holds(onlyFinding().remedy, "cudaFuncSetAttribute"));
    CHECK(holds(onlyFinding().remedy, "The program has not called it yet"));
    allow(nothing, 49 * 1024);
    nothing<<<1, 1, 49 * 1024>>>();
    nothing<<<1, 1, 50 * 1024>>>();
    REQUIRE(cusim::findings().size() == 2);
    CHECK(holds(cusim::findings()[1].remedy, "The program has asked for 50176"));
    nothing<<<1, 1, 1024 * 1024>>>();
    REQUIRE(cusim::findings().size() == 3);
    CHECK(holds(cusim::findings()[2].remedy, "Use less shared memory"));
    cusim::reset();
    allow(nothing, 96 * 1024);
    nothing<<<1, 1, 96 * 1024>>>();
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cusim::findings().empty());
    CHECK(cusim::launches().back().completed);
    // The kernel keeps the attribute until the device is reset.
    nothing<<<1, 1, 64 * 1024>>>();
    CHECK(cudaGetLastError() == cudaSuccess);
    cudaDeviceReset();
    nothing<<<1, 1, 64 * 1024>>>();
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    cusim::reset();
    // The kernel's own arrays take 16 KiB of the 96.
    CHECK(allow(take16KiB, 80 * 1024) == cudaSuccess);
    CHECK(allow(take16KiB, 80 * 1024 + 1) == cudaErrorInvalidValue);
    CHECK(allow(take16KiB, -1) == cudaErrorInvalidValue);
}

DEVICE_TEST("The so-many-th call can be made to fail, and no other one") {
    float* pointer = nullptr;
    cusim::failNext("cudaMalloc:2", cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&pointer, 16) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaMalloc(&pointer, 16) == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&pointer, 16) == cudaSuccess);
}

DEVICE_TEST("A call can be made to fail once, by name") {
    float* pointer = nullptr;
    cusim::failNext("cudaMalloc", cudaErrorMemoryAllocation);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaMalloc(&pointer, 16) == cudaErrorMemoryAllocation);
    CHECK(pointer == nullptr);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&pointer, 16) == cudaSuccess);

    cusim::failNext("launch", cudaErrorLaunchOutOfResources);
    nothing<<<1, 1>>>();
    CHECK(cudaGetLastError() == cudaErrorLaunchOutOfResources);
    CHECK_FALSE(cusim::launches().back().completed);
    nothing<<<1, 1>>>();
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cusim::launches().back().completed);
    CHECK(cusim::findings().empty());
    const std::vector<std::string> expected{"cudaDeviceSynchronize", "cudaMalloc", "cudaMalloc",
                                            "launch", "launch"};
    CHECK(cusim::calls() == expected);
}

DEVICE_TEST("Guarded calls may stand inside one another") {
    cusim::Outcome inner;
    const cusim::Outcome outer = cusim::guarded([&] {
        inner = cusim::guarded([] { std::exit(3); });
        throw std::runtime_error("seven");
    });
    CHECK(inner.how == cusim::Outcome::Exited);
    CHECK(outer.how == cusim::Outcome::Threw);
}

DEVICE_TEST("A block of the host's heap whose memory a library has reused is no longer known") {
    // Small blocks as malloc keeps them: a word with the size and a flag, then 56 bytes.
    std::vector<std::size_t> heap(64, 0x41);
    cusim::noteHostBlock(&heap[2], 50);
    CHECK(cusim::hostBlockFrom(&heap[2], 60) == 50);
    heap[1] = 0x4040404040404041;  // no size: there is no memory so far away
    CHECK(!cusim::hostBlockFrom(&heap[2], 60));
    cusim::forgetHostBlock(&heap[2]);
}
