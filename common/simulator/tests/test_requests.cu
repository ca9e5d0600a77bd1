// Tests the numbers of warps' requests that the model of a card's time gets.
#include <cuda_pipeline.h>

#include "chosen_options.h"
#include "on_device.h"

namespace {

__global__ void strideKernel(const float* x, float* y, int stride) {
    y[threadIdx.x] = x[threadIdx.x * stride];
}

__global__ void repeatKernel(const float* x, float* y, int times) {
    float sum = 0.0f;
    for (int i = 0; i < times; ++i) sum += x[threadIdx.x];
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void sharedKernel(float* y, int times, int step) {
    __shared__ float words[64];
    words[threadIdx.x] = 1.0f;
    words[threadIdx.x + 32] = 1.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i < times; ++i) sum += words[i * step];
    y[threadIdx.x] = sum;
}

// Each lane with a bit in `lanes` loads, or stores, element `number / by % of` of an array.
template <class Element>
__global__ void patternKernel(Element* y, unsigned by, unsigned of, unsigned lanes, bool stores) {
    __shared__ Element words[32];
    const Element value = y[threadIdx.x];
    if (!stores) words[threadIdx.x] = value;
    __syncthreads();
    const unsigned at = threadIdx.x / by % of;
    if (!(lanes >> threadIdx.x & 1)) return;
    if (stores)
        words[at] = value;
    else
        y[threadIdx.x] = words[at];
}

template <class Element>
std::uint64_t passes(unsigned by, unsigned of, unsigned lanes, bool stores) {
    cusim::reset();
    const OnDevice<Element> y(32, Element());
    patternKernel<Element><<<1, 32>>>(y, by, of, lanes, stores);
    return onlyLaunch().requests.shared[stores].units;
}

__global__ void copyKernel(const float4* in, float4* out) {
    __shared__ float4 words[32];
    __pipeline_memcpy_async(&words[threadIdx.x], &in[threadIdx.x], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = words[threadIdx.x];
}

__global__ void wideKernel(float* y) {
    __shared__ float4 words[32];
    words[threadIdx.x] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
    y[threadIdx.x] = 0.0f;
}

}  // namespace

DEVICE_TEST("A request touches the lines of 128 bytes in which its elements lie") {
    const OnDevice<float> x(32 * 32, 1.0f), y(32);
    strideKernel<<<1, 32>>>(x, y, 1);
    CHECK(onlyLaunch().warps.lines == 2);
    cusim::reset();
    const OnDevice<float> again(32 * 32, 1.0f), out(32);
    strideKernel<<<1, 32>>>(again, out, 32);
    CHECK(onlyLaunch().warps.lines == 32 + 1);
}

DEVICE_TEST("A sector that a block touches again counts once for the block") {
    const OnDevice<float> x(32, 1.0f), y(3 * 32);
    repeatKernel<<<3, 32>>>(x, y, 10);
    CHECK(onlyLaunch().warps.sectors == 3 * (10 + 1) * 4);
    CHECK(onlyLaunch().warps.blockSectors == 3 * (4 + 4));
}

DEVICE_TEST("An instruction that meets the same words of shared memory again takes no row") {
    const OnDevice<float> y(32);
    sharedKernel<<<1, 32>>>(y, 10, 0);
    CHECK(onlyLaunch().warps.sharedRequests == 2 + 10);
    CHECK(onlyLaunch().warps.sharedRows == 2 + 1);
    cusim::reset();
    const OnDevice<float> out(32);
    sharedKernel<<<1, 32>>>(out, 10, 1);
    CHECK(onlyLaunch().warps.sharedRows == 2 + 10);
}

DEVICE_TEST("A wide access to shared memory takes a row for every 128 bytes") {
    const OnDevice<float> y(32);
    wideKernel<<<1, 32>>>(y);
    CHECK(onlyLaunch().warps.sharedPasses == 1);
    CHECK(onlyLaunch().warps.sharedRows == 4);
}

DEVICE_TEST("Loads and stores are counted apart, of all blocks, where a file for counts is named") {
    cusim::options().counts = "/dev/null";
    cusim::options().warpBlocks = 1;
    const OnDevice<float> x(32, 1.0f), y(3 * 32);
    repeatKernel<<<3, 32>>>(x, y, 10);
    const auto& [loads, stores] = onlyLaunch().requests.global;
    CHECK(loads.requests == 3 * 10);
    CHECK(loads.units == 3 * 10 * 4);
    CHECK(loads.repeated == 3 * 9);
    CHECK(stores.requests == 3);
    CHECK(stores.distinctBytes == 3 * 32 * 4);
}

DEVICE_TEST("Loads of the words beside those of earlier ones are counted as such") {
    cusim::options().counts = "/dev/null";
    const OnDevice<float> y(32);
    sharedKernel<<<1, 32>>>(y, 10, 1);
    const cusim::RequestCount& loads = onlyLaunch().requests.shared[0];
    CHECK(loads.units == 10);
    CHECK(loads.distinctBytes == 10 * 4);
    CHECK(loads.neighbouringUnits == 9);
    CHECK(loads.repeatedUnits == 0);
}

DEVICE_TEST(
    "Wide loads of groups of lanes take one pass together if pairs of lanes load the same") {
    cusim::options().counts = "/dev/null";
    cusim::options().races = false;
    // As an H200 counts them: passes of loads of 8 and of 16 bytes, then of such stores.
    const struct {
        unsigned by, of, lanes, passes[4];
    } patterns[] = {{1, 32, ~0u, {2, 4, 2, 4}},       {32, 1, ~0u, {1, 2, 2, 4}},
                    {1, 8, ~0u, {2, 4, 2, 4}},        {8, 32, ~0u, {1, 2, 2, 4}},
                    {1, 2, ~0u, {1, 2, 2, 4}},        {1, 4, ~0u, {2, 4, 2, 4}},
                    {1, 32, 0xffffu, {1, 2, 1, 2}},   {1, 32, 0x55555555u, {2, 4, 2, 4}},
                    {1, 8, 0xff0000ffu, {2, 2, 2, 2}}};
    for (const auto& [by, of, lanes, counted] : patterns) {
        INFO("number / " << by << " % " << of << " of lanes " << lanes);
        CHECK(passes<float2>(by, of, lanes, false) == counted[0]);
        CHECK(passes<float4>(by, of, lanes, false) == counted[1]);
        CHECK(passes<float2>(by, of, lanes, true) == counted[2]);
        CHECK(passes<float4>(by, of, lanes, true) == counted[3]);
    }
}

DEVICE_TEST("An asynchronous copy is a load of device memory, and no store in shared memory") {
    cusim::options().counts = "/dev/null";
    const OnDevice<float4> in(32, float4()), out(32);
    copyKernel<<<1, 32>>>(in, out);
    const cusim::RequestCounts& counts = onlyLaunch().requests;
    CHECK(counts.global[0].units == 16);
    CHECK(counts.global[0].plainUnits == 0);
    CHECK(counts.shared[1].requests == 0);
    CHECK(counts.shared[0].units == 4);
}
