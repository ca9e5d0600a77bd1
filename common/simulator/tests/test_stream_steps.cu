// Tests the record of what went into which stream.
#include "chosen_options.h"

using Step = cusim::StreamStep;

namespace {
__global__ void nothing() {}
}  // namespace

DEVICE_TEST("A copy tells its stream, its direction, its place, and whether it is pinned") {
    float *device = nullptr, *pinned = nullptr, pageable[8] = {};
    cudaStream_t first = nullptr, second = nullptr;
    cudaMalloc(&device, 64);
    cudaMallocHost(&pinned, 32);
    cudaStreamCreate(&first);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaMemcpyAsync(device + 8, pinned, 32, cudaMemcpyHostToDevice, second);
    cudaMemcpyAsync(pageable, device + 8, 32, cudaMemcpyDeviceToHost, first);
    REQUIRE(cusim::streamSteps().size() == 2);
    const Step& in = cusim::streamSteps()[0];
    CHECK(in.what == Step::CopyIn);
    CHECK(in.stream == 2);
    CHECK(in.nonBlocking);
    CHECK(in.pinned);
    CHECK(in.host == pinned);
    CHECK(in.offset == 32);
    CHECK(in.bytes == 32);
    const Step& out = cusim::streamSteps()[1];
    CHECK(out.what == Step::CopyOut);
    CHECK(out.stream == 1);
    CHECK_FALSE(out.nonBlocking);
    CHECK_FALSE(out.pinned);
    CHECK(out.allocation == in.allocation);
    cusim::reset();
    CHECK(cusim::streamSteps().empty());
}

DEVICE_TEST("A plain copy lies in the default stream, and the host waits for it") {
    float *device = nullptr, host[2] = {};
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    nothing<<<1, 1>>>();
    const auto& steps = cusim::streamSteps();
    REQUIRE(steps.size() == 3);
    CHECK(steps[0].what == Step::CopyIn);
    CHECK(steps[0].stream == 0);
    CHECK(steps[1].what == Step::HostWaits);
    CHECK(steps[1].stream == 0);
    CHECK(steps[2].what == Step::Launch);
    CHECK(steps[2].launch == 0);
}

DEVICE_TEST("A copy row by row is a step for each row, each with its place on both sides") {
    char* device = nullptr;
    char host[6] = {};
    cudaMalloc(&device, 16);
    cudaMemcpy2D(device, 8, host, 3, 3, 2, cudaMemcpyHostToDevice);
    const auto& steps = cusim::streamSteps();
    REQUIRE(steps.size() == 3);
    CHECK(steps[1].what == Step::CopyIn);
    CHECK(steps[1].host == host + 3);
    CHECK(steps[1].offset == 8);
    CHECK(steps[1].bytes == 3);
    CHECK(steps[2].what == Step::HostWaits);
}

DEVICE_TEST("Events and waits tell whom they are about") {
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(nullptr, event);
    cudaEventSynchronize(event);
    cudaStreamSynchronize(stream);
    cudaDeviceSynchronize();
    const auto& steps = cusim::streamSteps();
    REQUIRE(steps.size() == 5);
    CHECK(steps[0].what == Step::Record);
    CHECK(steps[0].stream == 1);
    CHECK(steps[0].event == 0);
    CHECK(steps[1].what == Step::StreamWaits);
    CHECK(steps[1].stream == 0);
    CHECK(steps[2].what == Step::HostWaits);
    CHECK(steps[2].event == 0);
    CHECK(steps[3].what == Step::HostWaits);
    CHECK(steps[3].stream == 1);
    CHECK(steps[3].event == -1);
    CHECK(steps[4].stream == -1);
}
