// Tests the record of what went into which stream.
#include "chosen_options.h"

using Step = cusim::StreamStep;

namespace {

__global__ void nothing() {}

// What was done, in which stream, and of which event.
using Steps = std::vector<std::vector<int>>;
Steps steps() {
    Steps all;
    for (const Step& step : cusim::streamSteps())
        all.push_back({step.what, step.stream, step.event});
    return all;
}

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
    REQUIRE(steps() == Steps{{Step::CopyIn, 2, -1}, {Step::CopyOut, 1, -1}});
    const Step& in = cusim::streamSteps()[0];
    CHECK(in.nonBlocking);
    CHECK(in.pinned);
    CHECK(in.host == pinned);
    CHECK(in.offset == 32);
    CHECK(in.bytes == 32);
    const Step& out = cusim::streamSteps()[1];
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
    CHECK(steps() == Steps{{Step::CopyIn, 0, -1}, {Step::HostWaits, 0, -1}, {Step::Launch, 0, -1}});
    CHECK(cusim::streamSteps()[2].launch == 0);
}

DEVICE_TEST("A copy row by row is a step for each row, each with its place on both sides") {
    char* device = nullptr;
    char host[6] = {};
    cudaMalloc(&device, 16);
    cudaMemcpy2D(device, 8, host, 3, 3, 2, cudaMemcpyHostToDevice);
    CHECK(steps() == Steps{{Step::CopyIn, 0, -1}, {Step::CopyIn, 0, -1}, {Step::HostWaits, 0, -1}});
    const Step& second = cusim::streamSteps()[1];
    CHECK(second.host == host + 3);
    CHECK(second.offset == 8);
    CHECK(second.bytes == 3);
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
    CHECK(steps() == Steps{{Step::Record, 1, 0},
                           {Step::StreamWaits, 0, 0},
                           {Step::HostWaits, 0, 0},
                           {Step::HostWaits, 1, -1},
                           {Step::HostWaits, -1, -1}});
}
