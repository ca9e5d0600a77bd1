// Tests calls that courses seldom use: launches by cudaLaunchKernelEx, mapped memory, proposed
// sizes of blocks, and the names of the default stream.
#include "chosen_options.h"
#include "on_device.h"

__device__ int number;
static int* const nameOfNumber = &number;

namespace {

extern __shared__ int room[];

__global__ void addIndex(int* y, const int by, float half) {
    room[threadIdx.x] = by;
    y[blockIdx.x * blockDim.x + threadIdx.x] += room[threadIdx.x] + static_cast<int>(2 * half);
}

cudaLaunchConfig_t twoBlocks() {
    cudaLaunchConfig_t config = {};
    config.gridDim = 2;
    config.blockDim = 3;
    config.dynamicSmemBytes = 3 * sizeof(int);
    return config;
}

template <class T>
__constant__ T factors[4] = {1, 2, 3, 4};
template <class T, int N>
__device__ T sums[N];

template <class T>
__global__ void factorsKernel(T* y, bool wrong) {
    sums<T, 4>[threadIdx.x] = factors<T>[threadIdx.x];
    if (wrong) factors<T>[threadIdx.x] = 5;
    y[threadIdx.x] = 10 * sums<T, 4>[threadIdx.x];
}

__global__ void increase(int* to) { *to += 1; }  // increase

}  // namespace

DEVICE_TEST("cudaLaunchKernelEx launches as <<<...>>> does, and names its line") {
    const OnDevice<int> y(6, 1);
    int* const pointer = y;
    const cudaLaunchConfig_t config = twoBlocks();
    CHECK(cudaLaunchKernelEx(&config, addIndex, pointer, 'a' - 90, 1) == cudaSuccess);
    const int line = __LINE__ - 1;
    CHECK(y.host() == std::vector<int>(6, 10));
    const auto& launch = cusim::launches().at(0);
    CHECK(launch.threads == 6);
    CHECK(launch.dynamicSharedBytes == 3 * sizeof(int));
    CHECK(launch.at.line == line);
    checkNothingFound();
}

DEVICE_TEST("cudaLaunchKernelEx returns the error of the launch, and takes no attributes") {
    const OnDevice<int> y(6, 1);
    int* const pointer = y;
    cudaLaunchConfig_t config = twoBlocks();
    config.blockDim = 5000;
    CHECK(cudaLaunchKernelEx(&config, addIndex, pointer, 1, 1) == cudaErrorInvalidConfiguration);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    config = twoBlocks();
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, addIndex, pointer, 1, 1) == cudaErrorNotSupported);
    CHECK(y.host() == std::vector<int>(6, 1));
}

DEVICE_TEST("Memory of cudaHostAlloc is mapped, that of the host is not") {
    int *host = nullptr, *device = nullptr, own[6] = {};
    CHECK(cudaSetDeviceFlags(cudaDeviceMapHost) == cudaSuccess);
    cudaHostAlloc(&host, 6 * sizeof(int), cudaHostAllocMapped);
    for (int i = 0; i < 6; ++i) host[i] = 0;
    CHECK(cudaHostGetDevicePointer(&device, host, 0) == cudaSuccess);
    addIndex<<<2, 3, 3 * sizeof(int), cudaStreamPerThread>>>(device, 4, 1);
    CHECK(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
    CHECK(host[5] == 6);
    cudaFreeHost(host);
    checkNothingFound();
    cudaHostRegister(own, sizeof own, cudaHostRegisterMapped);
    CHECK(cudaHostGetDevicePointer(&device, own, 0) == cudaErrorInvalidValue);
    CHECK(onlyFinding().kind == "unsupported");
}

DEVICE_TEST("The proposed block is as large as the device and the limit let it be") {
    int grid = 0, threads = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &threads, addIndex) == cudaSuccess);
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    CHECK(threads == device.maxThreadsPerBlock);
    CHECK(grid == device.multiProcessorCount *
                      (device.maxThreadsPerMultiProcessor / device.maxThreadsPerBlock));
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &threads, addIndex, 0, 128) == cudaSuccess);
    CHECK(threads == 128);
}

DEVICE_TEST("variables are made of a template, of constant memory too") {
    CHECK(resultOf(factorsKernel<int>, 4, 1, 4, false) == std::vector<int>{10, 20, 30, 40});
    const float others[] = {5, 6, 7, 8};
    CHECK(cudaMemcpyToSymbol(factors<float>, others, sizeof others) == cudaSuccess);
    CHECK(resultOf(factorsKernel<float>, 4, 1, 4, false) == std::vector<float>{50, 60, 70, 80});
    float left[4] = {};
    CHECK(cudaMemcpyFromSymbol(left, sums<float, 4>, sizeof left) == cudaSuccess);
    CHECK(left[3] == 8);
    checkNothingFound();
    resultOf(factorsKernel<int>, 4, 1, 4, true);
    CHECK(onlyFinding().kind == "constant-write");
    CHECK(holds(onlyFinding().title, "factors<int>"));
}

DEVICE_TEST("The name of a device variable has another address in host code than in a kernel") {
    void* address = nullptr;
    CHECK(cudaGetSymbolAddress(&address, number) == cudaSuccess);
    CHECK(address != nameOfNumber);
    increase<<<1, 1>>>(static_cast<int*>(address));
    int value = 0;
    CHECK(cudaMemcpyFromSymbol(&value, number, sizeof value) == cudaSuccess);
    CHECK(value == 1);
    int& sameNumber = number;
    CHECK(cudaMemcpyToSymbol(sameNumber, &value, sizeof value) == cudaSuccess);
    CHECK(cusim::findings().empty());
    increase<<<1, 1>>>(nameOfNumber);
    REQUIRE(cusim::findings().size() == 1);
    CHECK(cusim::findings()[0].kind == "host-pointer");
    CHECK(cusim::findings()[0].title.find("reads the host's copy of number") != std::string::npos);
}
