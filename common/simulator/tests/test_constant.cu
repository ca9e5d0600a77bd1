// Tests the requests of warps to constant memory.
#include "chosen_options.h"
#include "on_device.h"

namespace {

__constant__ double table[64];
__constant__ float scale;
__constant__ float weights[32];

__global__ void groupsKernel(double* y, int group) { y[threadIdx.x] = table[threadIdx.x / group]; }

__global__ void oneOfEachKernel(const float* x, float* y) {
    float value = scale;
    value += weights[threadIdx.x];
    value += x[threadIdx.x];
    y[threadIdx.x] = value;
}

const cusim::WarpReport& requestsTo(const std::string& name) {
    for (const cusim::ArrayReport& array : onlyLaunch().arrays)
        if (array.name == name) return array.warps;
    FAIL("no array " << name);
    throw;
}

}  // namespace

DEVICE_TEST("A request to constant memory takes a pass for each different address") {
    for (const int group : {1, 2, 4, 8, 16, 32}) {
        INFO("groups of " << group);
        cusim::reset();
        resultOf(groupsKernel, 64, 1, 64, group);
        const cusim::WarpReport& warps = onlyLaunch().warps;
        CHECK(warps.constantRequests == 2);
        CHECK(warps.constantPasses == static_cast<std::uint64_t>(2 * 32 / group));
    }
}

DEVICE_TEST("A warp that is not full asks for the addresses of its own lanes") {
    resultOf(groupsKernel, 40, 1, 40, 1);
    CHECK(onlyLaunch().warps.constantRequests == 2);
    CHECK(onlyLaunch().warps.constantPasses == 40);
}

DEVICE_TEST("Requests to constant memory are counted by array and apart from global memory") {
    const OnDevice<float> x(32, 0.0f), y(32);
    oneOfEachKernel<<<1, 32>>>(x, y);
    CHECK(requestsTo("scale").constantRequests == 1);
    CHECK(requestsTo("scale").constantPasses == 1);
    CHECK(requestsTo("weights").constantRequests == 1);
    CHECK(requestsTo("weights").constantPasses == 32);
    CHECK(requestsTo("weights").globalRequests == 0);
    const cusim::WarpReport& all = onlyLaunch().warps;
    CHECK(all.constantRequests == 2);
    CHECK(all.constantPasses == 33);
    CHECK(all.globalRequests == 2);
    CHECK(all.sectors == 8);
}
