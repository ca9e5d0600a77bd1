// Tests the runtime's functions that launch nothing: errors, device, memory, streams, events, and
// the record of what went into which stream.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"

namespace {

__global__ void nothing() {}
__global__ void storeAt(int* y, int i) { y[i] = 7; }
__global__ void useShared(float* y) {
    __shared__ float s[4096];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    *y = s[0];
}
template <int width>
__global__ void capitals(float* y) {
    __shared__ float TILE[width][width], E[2];
    TILE[0][threadIdx.x] = E[threadIdx.x] = threadIdx.x;
    __syncthreads();
    *y = TILE[0][1];
}
extern "C" __global__ void withoutMangling(float* y) {
    __shared__ float EDGE[8];
    EDGE[threadIdx.x] = threadIdx.x;
    __syncthreads();
    *y = EDGE[0];
}

template <class Kernel>
int blocksBy(int blockSize, int dynamicBytes, Kernel kernel) {
    int blocks = -1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, blockSize, dynamicBytes);
    return blocks;
}
int blocksBy(int blockSize, int dynamicBytes) { return blocksBy(blockSize, dynamicBytes, nothing); }

int staticSharedBytes(void (*kernel)(float*)) {
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, kernel);
    return static_cast<int>(attributes.sharedSizeBytes);
}

using Step = cusim::StreamStep;
// What was done, in which stream, and with which event.
using Steps = std::vector<std::vector<int>>;
Steps steps() {
    Steps all;
    for (const Step& step : cusim::streamSteps())
        all.push_back({step.what, step.stream, step.event});
    return all;
}

}  // namespace

TEST_CASE("Errors have CUDA's values, names and texts") {
    CHECK(cudaErrorInvalidConfiguration == 9);
    CHECK(cudaErrorIllegalAddress == 700);
    CHECK(cudaErrorLaunchFailure == 719);
    CHECK(std::string(cudaGetErrorName(cudaSuccess)) == "cudaSuccess");
    CHECK(std::string(cudaGetErrorString(cudaSuccess)) == "no error");
    CHECK(std::string(cudaGetErrorName(cudaErrorMemoryAllocation)) == "cudaErrorMemoryAllocation");
    CHECK(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)) == "out of memory");
    CHECK(std::string(cudaGetErrorString(cudaErrorInvalidConfiguration)) ==
          "invalid configuration argument");
    CHECK(std::string(cudaGetErrorString(cudaErrorIllegalAddress)) ==
          "an illegal memory access was encountered");
    CHECK(std::string(cudaGetErrorName(static_cast<cudaError_t>(12345))) ==
          "unrecognized error code");
}

DEVICE_TEST("The last error is forgotten when it is asked for, not when it is peeked at") {
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaSetDevice(3) == cudaErrorInvalidDevice);
    // A successful call keeps the error.
    CHECK(cudaSetDevice(0) == cudaSuccess);
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
    CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaPeekAtLastError() == cudaSuccess);
}

DEVICE_TEST("After a failed kernel every call fails until the device is reset") {
    resultOf(storeAt, 1, 1, 1, 1);
    float* pointer = nullptr;
    int device = -1;
    CHECK(cudaMalloc(&pointer, 16) == cudaErrorIllegalAddress);
    CHECK(pointer == nullptr);
    CHECK(cudaGetDevice(&device) == cudaErrorIllegalAddress);
    CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
    CHECK(cudaPeekAtLastError() == cudaErrorIllegalAddress);
    CHECK(cudaDeviceReset() == cudaSuccess);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaMalloc(&pointer, 16) == cudaSuccess);
    CHECK(resultOf(storeAt, 1, 1, 1, 0)[0] == 7);
}

DEVICE_TEST("There is one device, with the properties of compute capability 7.0") {
    int count = 0, device = -1, version = 0;
    CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
    CHECK(count == 1);
    CHECK(cudaGetDevice(&device) == cudaSuccess);
    CHECK(device == 0);
    CHECK(cudaRuntimeGetVersion(&version) == cudaSuccess);
    CHECK(version == 13000);
    cudaDeviceProp properties{};
    REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    CHECK(std::string(properties.name) == "Simulated device");
    CHECK(properties.major == 7);
    CHECK(properties.minor == 0);
    CHECK(properties.warpSize == 32);
    CHECK(properties.maxThreadsPerBlock == 1024);
    CHECK(properties.maxThreadsDim[2] == 64);
    CHECK(properties.maxGridSize[1] == 65535);
    CHECK(properties.sharedMemPerBlock == 48 * 1024);
    CHECK(properties.sharedMemPerBlockOptin == 96 * 1024);
    CHECK(properties.totalConstMem == 64 * 1024);
    CHECK(cudaGetDeviceProperties(&properties, 1) == cudaErrorInvalidDevice);
}

DEVICE_TEST("Device attributes agree with the properties") {
    const std::pair<cudaDeviceAttr, int> attributes[] = {
        {cudaDevAttrMaxThreadsPerBlock, 1024},
        {cudaDevAttrMaxSharedMemoryPerBlock, 48 * 1024},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, 96 * 1024},
        {cudaDevAttrWarpSize, 32},
        {cudaDevAttrComputeCapabilityMajor, 7},
        {cudaDevAttrComputeCapabilityMinor, 0},
        {cudaDevAttrMaxThreadsPerMultiProcessor, 2048}};
    for (const auto& [which, expected] : attributes) {
        INFO("attribute " << which);
        int value = -1;
        CHECK(cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess);
        CHECK(value == expected);
    }
    int value = 5;
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0) ==
          cudaErrorInvalidValue);
    CHECK(value == 5);
}

DEVICE_TEST("A kernel's static shared memory is known to the last byte") {
    CHECK(staticSharedBytes(useShared) == 16 * 1024);
    CHECK(staticSharedBytes(capitals<16>) == (16 * 16 + 2) * 4);
    CHECK(staticSharedBytes(capitals<32>) == (32 * 32 + 2) * 4);
    CHECK(staticSharedBytes(withoutMangling) == 8 * 4);
}

DEVICE_TEST("Occupancy is limited by threads, blocks or shared memory, whichever is least") {
    const std::array<int, 3> rows[] = {{1024, 0, 2},        {256, 0, 8},        {96, 0, 21},
                                       {65, 0, 21},         {32, 0, 32},        {1, 0, 32},
                                       {128, 12 * 1024, 8}, {128, 48 * 1024, 2}};
    for (const auto& [threads, sharedBytes, blocks] : rows) {
        INFO(threads << " threads, " << sharedBytes << " bytes");
        CHECK(blocksBy(threads, sharedBytes) == blocks);
    }
    CHECK(blocksBy(64, 0, useShared) == 6);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(blocksBy(0, 0) == -1);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

DEVICE_TEST("Occupancy names the limit that keeps more blocks out") {
    CHECK(std::string(cusim::occupancy(256, 0).limitedBy) == "threads");
    CHECK(std::string(cusim::occupancy(32, 0).limitedBy) == "blocks");
    CHECK(std::string(cusim::occupancy(128, 12 * 1024).limitedBy) == "shared memory");
    CHECK(cusim::occupancy(128, 12 * 1024).threads == 8 * 128);
    CHECK(cusim::occupancy(128, 12 * 1024).mostThreads == 2048);
    // Threads are allotted in whole warps.
    CHECK(cusim::occupancy(33, 0).threads == 32 * 64);
}

DEVICE_TEST("Streams work until they are destroyed") {
    cudaStream_t stream = nullptr, other = nullptr;
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess);
    CHECK(stream != other);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(cudaStreamQuery(stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
    int called = 0;
    const auto callback = [](cudaStream_t, cudaError_t status, void* data) {
        *static_cast<int*>(data) += status == cudaSuccess ? 1 : 100;
    };
    CHECK(cudaStreamAddCallback(stream, callback, &called, 0) == cudaSuccess);
    CHECK(called == 1);
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
    CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
    CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
    CHECK(cudaStreamAddCallback(stream, callback, &called, 0) == cudaErrorInvalidResourceHandle);
    CHECK(called == 1);
    CHECK(cudaStreamDestroy(other) == cudaSuccess);
}

DEVICE_TEST("Events measure time between two records") {
    cudaEvent_t start = nullptr, end = nullptr, untimed = nullptr;
    float ms = -1;
    CHECK(cudaEventCreate(&start) == cudaSuccess);
    CHECK(cudaEventCreate(&end) == cudaSuccess);
    CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
    CHECK(cudaEventRecord(start) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, start, end) == cudaErrorInvalidResourceHandle);
    CHECK(ms == -1);
    CHECK(cudaEventRecord(end, nullptr) == cudaSuccess);
    CHECK(cudaEventSynchronize(end) == cudaSuccess);
    CHECK(cudaEventQuery(end) == cudaSuccess);
    CHECK(cudaEventQuery(nullptr) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventElapsedTime(&ms, start, end) == cudaSuccess);
    CHECK(ms >= 0);
    CHECK(ms < 10000);
    CHECK(cudaEventRecord(untimed) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, start, untimed) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventDestroy(start) == cudaSuccess);
    CHECK(cudaEventRecord(start) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventElapsedTime(&ms, start, end) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventDestroy(start) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventDestroy(nullptr) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventDestroy(end) == cudaSuccess);
    CHECK(cudaEventDestroy(untimed) == cudaSuccess);
}

DEVICE_TEST("Free memory falls with each allocation and rises with each cudaFree") {
    std::size_t before = 0, during = 0, after = 0, total = 0;
    REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
    CHECK(total == std::size_t{4} << 30);
    CHECK(before <= total);
    void* pointer = nullptr;
    REQUIRE(cudaMalloc(&pointer, 1 << 20) == cudaSuccess);
    cudaMemGetInfo(&during, &total);
    CHECK(before - during == 1 << 20);
    cudaFree(pointer);
    cudaMemGetInfo(&after, &total);
    CHECK(after == before);
}

DEVICE_TEST("An allocation larger than the device fails and changes nothing else") {
    char* pointer = reinterpret_cast<char*>(1);
    CHECK(cudaMalloc(&pointer, std::size_t{5} << 30) == cudaErrorMemoryAllocation);
    CHECK(pointer == nullptr);
    CHECK(cudaMalloc(&pointer, ~std::size_t{0}) == cudaErrorMemoryAllocation);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&pointer, 16) == cudaSuccess);
    CHECK(cudaMalloc(static_cast<char**>(nullptr), 16) == cudaErrorInvalidValue);
}

DEVICE_TEST("Memory is set byte by byte") {
    unsigned* pointer = nullptr;
    REQUIRE(cudaMalloc(&pointer, 12) == cudaSuccess);
    CHECK(cudaMemset(pointer, 0x1ff, 12) == cudaSuccess);
    CHECK(cudaMemset(pointer + 1, 1, 4) == cudaSuccess);
    unsigned values[3] = {};
    CHECK(cudaMemcpy(values, pointer, 12, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(values[0] == 0xffffffffu);
    CHECK(values[1] == 0x01010101u);
    CHECK(values[2] == 0xffffffffu);
}

DEVICE_TEST("Rows are copied between memories of different pitch") {
    char* pitched = nullptr;
    std::size_t pitch = 0;
    REQUIRE(cudaMallocPitch(&pitched, &pitch, 3, 2) == cudaSuccess);
    CHECK(pitch >= 3);
    CHECK(pitch % 32 == 0);
    const char source[] = "abcXdefX";
    CHECK(cudaMemcpy2D(pitched, pitch, source, 4, 3, 2, cudaMemcpyHostToDevice) == cudaSuccess);
    char target[11] = "..........";
    CHECK(cudaMemcpy2D(target, 5, pitched, pitch, 3, 2, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(std::string(target) == "abc..def..");
    CHECK(cudaMemcpy2D(target, 2, pitched, pitch, 3, 2, cudaMemcpyDeviceToHost) ==
          cudaErrorInvalidPitchValue);
    CHECK(cudaMemcpy2D(target, 5, pitched, 2, 3, 2, cudaMemcpyDeviceToHost) ==
          cudaErrorInvalidPitchValue);
    // There is no third row.
    CHECK(cudaMemcpy2D(pitched, pitch, source, 1, 1, 3, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue);
    REQUIRE(cusim::findings().size() == 3);
    CHECK(cusim::findings()[0].kind == "invalid-pitch");
    CHECK(cusim::findings()[2].kind == "wild-copy");
}

DEVICE_TEST("An unknown copy direction is an error of its own") {
    int a = 1, b = 2;
    CHECK(cudaMemcpy(&a, &b, 4, static_cast<cudaMemcpyKind>(7)) == cudaErrorInvalidMemcpyDirection);
    CHECK(a == 1);
    CHECK(cudaMemcpy(&a, &b, 4, cudaMemcpyHostToHost) == cudaSuccess);
    CHECK(a == 2);
}

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

DEVICE_TEST("A fill row by row is a step for each row, and leaves what is between") {
    unsigned char *device = nullptr, host[8] = {};
    cudaMalloc(&device, sizeof host);
    cudaMemset(device, 1, sizeof host);
    cudaMemset2D(device, 5, 2, 3, 2);
    CHECK(steps() == Steps{{Step::Fill, 0, -1}, {Step::Fill, 0, -1}, {Step::Fill, 0, -1}});
    CHECK(cusim::streamSteps()[2].offset == 5);
    CHECK(cusim::streamSteps()[2].byte == 2);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    CHECK(std::vector<int>(host, host + 8) == std::vector<int>{2, 2, 2, 1, 1, 2, 2, 2});
    cudaFree(device);
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

DEVICE_TEST("A copy of rows without gaps is one step; registered host memory is pinned") {
    char *device = nullptr, host[8] = {};
    cudaMalloc(&device, 6);
    CHECK(cudaHostUnregister(host) == cudaErrorHostMemoryNotRegistered);
    CHECK(cudaHostRegister(host, 6, cudaHostRegisterDefault) == cudaSuccess);
    CHECK(cudaHostRegister(host + 5, 1, 0) == cudaErrorHostMemoryAlreadyRegistered);
    cudaMemcpy2DAsync(device, 3, host, 3, 3, 2, cudaMemcpyHostToDevice);
    CHECK(cudaHostUnregister(host) == cudaSuccess);
    cudaMemcpy2DAsync(device, 3, host, 3, 3, 2, cudaMemcpyHostToDevice);
    CHECK(steps() == Steps{{Step::CopyIn, 0, -1}, {Step::CopyIn, 0, -1}});
    CHECK(cusim::streamSteps()[0].bytes == 6);
    CHECK(cusim::streamSteps()[0].pinned);
    CHECK_FALSE(cusim::streamSteps()[1].pinned);
}

DEVICE_TEST("Only managed memory is prefetched, and cudaDeviceReset can fail") {
    float *managed = nullptr, *device = nullptr;
    cudaMallocManaged(&managed, 16);
    cudaMalloc(&device, 16);
    CHECK(cudaMemPrefetchAsync(managed, 16, 0) == cudaSuccess);
    CHECK(cudaMemPrefetchAsync(device, 16, 0) == cudaErrorInvalidValue);
    cusim::failNext("cudaDeviceReset", cudaErrorInvalidValue);
    CHECK(cudaDeviceReset() == cudaErrorInvalidValue);
    CHECK(cudaDeviceReset() == cudaSuccess);
}
