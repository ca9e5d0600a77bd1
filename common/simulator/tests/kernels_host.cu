#include "kernels_host.h"

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <vector>

namespace host_faults {
namespace {

__constant__ float filter[4];

__global__ void nothing() {}
__global__ void touch(float* x) { x[threadIdx.x] = 1; }
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

constexpr std::size_t kBytes = 16;
float onHost[4];

float* allocated() {
    float* d_x;
    cudaMalloc(&d_x, kBytes);  // leak
    return d_x;
}

std::map<std::string, void (*)()>& all() {
    static std::map<std::string, void (*)()> functions;
    return functions;
}

// Defines a function that run() finds by its name.
#define FAULT(name)                                                \
    void name();                                                   \
    const bool isKnown_##name = all().emplace(#name, name).second; \
    void name()

FAULT(hostReads) {
    volatile float* const d_x = allocated();
    onHost[0] = d_x[1];  // hostReads
}
FAULT(hostWrites) {
    float* d_x = allocated();
    d_x[1] = 2;  // hostWrites
}
FAULT(hostReadsAfterUse) {
    float* const d_x = allocated();
    cudaMemcpy(d_x, onHost, kBytes, cudaMemcpyHostToDevice);
    touch<<<1, 4>>>(d_x);
    cudaMemcpy(onHost, d_x, kBytes, cudaMemcpyDeviceToHost);
    onHost[0] = d_x[1];  // hostReadsAfterUse
}
FAULT(hostNull) {
    volatile int* nothingThere = nullptr;
    *nothingThere = 1;  // hostNull
}
FAULT(hostDivides) {
    volatile int zero = 0;
    onHost[0] = 12 / zero;  // hostDivides
}
// Constructed before the simulator's own statics, which the hooks must survive.
const std::vector<int> madeAtStart{1, 2, 3};

__device__ int onDevice;
__constant__ float inConstant[2];
__managed__ int onBoth;
FAULT(hostReadsVariable) {
    onHost[0] = static_cast<float>(onDevice);  // hostReadsVariable
}
FAULT(hostWritesConstant) {
    for (int i = 0; i < 2; ++i) inConstant[i] = 1;  // hostWritesConstant
}
FAULT(hostUsesManaged) { onBoth = onBoth + 1; }
FAULT(hostSpins) {
    for (int i = 0; i < 10; i += onHost[1] == 12345.0f) onHost[0] += 1;  // hostSpins
}
FAULT(hostCallsForEver) {
    while (cudaDeviceSynchronize() == cudaSuccess) {  // hostCallsForEver
    }
}
FAULT(wrongDirection) {
    float* d_x = allocated();
    cudaMemcpy(d_x, onHost, kBytes, cudaMemcpyDeviceToHost);  // wrongDirection
    cudaFree(d_x);
}
FAULT(swappedArguments) {
    float* d_x = allocated();
    cudaMemcpy(onHost, d_x, kBytes, cudaMemcpyHostToDevice);  // swappedArguments
    cudaFree(d_x);
}
FAULT(copyTooLarge) {
    float* d_x = allocated();
    std::vector<float> big(5);
    cudaMemcpy(d_x, big.data(), kBytes + 1, cudaMemcpyHostToDevice);  // copyTooLarge
    cudaFree(d_x);
}
FAULT(copyPartlyOutside) {
    float* d_x = allocated();
    cudaMemcpy(onHost, d_x + 1, kBytes, cudaMemcpyDeviceToHost);  // copyPartlyOutside
    cudaFree(d_x);
}
FAULT(copyAfterFree) {
    float* d_x = allocated();
    cudaFree(d_x);
    cudaMemcpy(onHost, d_x, kBytes, cudaMemcpyDeviceToHost);  // copyAfterFree
}
FAULT(copyNull) {
    float* d_x = allocated();
    cudaMemcpy(d_x, nullptr, kBytes, cudaMemcpyHostToDevice);  // copyNull
    cudaFree(d_x);
}
FAULT(setTooLarge) {
    float* d_x = allocated();
    cudaMemset(d_x, 0, kBytes + 4);  // setTooLarge
    cudaFree(d_x);
}
FAULT(setOnHost) {
    cudaMemset(onHost, 0, kBytes);  // setOnHost
}
FAULT(doubleFree) {
    float* d_x = allocated();
    cudaFree(d_x);
    cudaFree(d_x);  // doubleFree
}
FAULT(freeInside) {
    float* d_x = allocated();
    cudaFree(d_x + 1);  // freeInside
    cudaFree(d_x);
}
FAULT(freeHostMemory) {
    cudaFree(onHost);  // freeHostMemory
}
FAULT(freePinnedWrongly) {
    float* h_x;
    cudaMallocHost(&h_x, kBytes);
    cudaFree(h_x);  // freePinnedWrongly
    cudaFreeHost(h_x);
}
FAULT(symbolTooLarge) {
    float five[5] = {};
    cudaMemcpyToSymbol(filter, five, sizeof five);  // symbolTooLarge
}
FAULT(symbolWrongOffset) {
    cudaMemcpyToSymbol(filter, onHost, 8, 12);  // symbolWrongOffset
}
FAULT(copyToEndOfHost) {
    float* d_x = allocated();
    cudaMemcpy(d_x, onHost + 1, 12, cudaMemcpyHostToDevice);  // copyToEndOfHost
    cudaFree(d_x);
}
FAULT(symbolToEndOfHost) {
    cudaMemcpyToSymbol(filter, onHost, 12);    // symbolToEndOfHost
    cudaMemcpyFromSymbol(onHost, filter, 12);  // symbolToEndOfHost
}
FAULT(pitchOfTarget) {
    float* d_x = allocated();
    cudaMemcpy2D(d_x, 4, onHost, 8, 8, 2, cudaMemcpyHostToDevice);  // pitchOfTarget
    cudaFree(d_x);
}
FAULT(pitchOfSource) {
    float* d_x = allocated();
    cudaMemcpy2D(d_x, 8, onHost, 4, 8, 2, cudaMemcpyHostToDevice);  // pitchOfSource
    cudaFree(d_x);
}
FAULT(noSymbol) {
    cudaMemcpyToSymbol(onHost, onHost, 4);  // noSymbol
}
FAULT(addressOfNoSymbol) {
    void* address = nullptr;
    cudaGetSymbolAddress(&address, onHost);  // addressOfNoSymbol
}
FAULT(copiedToName) {
    cudaMemcpy(filter, onHost, 4, cudaMemcpyHostToDevice);  // copiedToName
}
FAULT(leak) { allocated(); }
FAULT(uncheckedLaunch) {
    nothing<<<1, 1>>>();  // uncheckedLaunch
    cudaDeviceSynchronize();
}
FAULT(noBlocks) {
    nothing<<<0, 32>>>();  // noBlocks
    cudaGetLastError();
}
FAULT(exits) {
    allocated();
    exit(3);
}
FAULT(exitsForAttribute) {
    if (cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20))
        exit(1);  // exitsForAttribute
}
FAULT(aborts) { abort(); }
FAULT(throwsError) { throw std::runtime_error("seven"); }
FAULT(throwsText) { throw "text"; }
FAULT(throwsNumber) { throw 7; }
FAULT(returns) {}

}  // namespace

void run(const std::string& fault) { all().at(fault)(); }

const float* hostMemory() { return onHost; }

void launchWithDynamicShared(int bytes) { nothing<<<1, 1, bytes>>>(); }
void launchAfterOptIn(int bytes) {
    cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    nothing<<<1, 1, bytes>>>();
}
int statusOfAttribute(int bytes) {
    return cudaFuncSetAttribute(useShared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
void launchShape(dim3 grid, dim3 block) { nothing<<<grid, block>>>(); }

void copyThere() {
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

std::vector<int> staticSharedBytes() {
    std::vector<int> bytes;
    for (const auto kernel : {useShared, capitals<16>, capitals<32>, withoutMangling}) {
        cudaFuncAttributes attributes;
        cudaFuncGetAttributes(&attributes, kernel);
        bytes.push_back(static_cast<int>(attributes.sharedSizeBytes));
    }
    return bytes;
}
int blocksBy(int blockSize, int dynamicBytes) {
    int blocks = -1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, blockSize, dynamicBytes);
    return blocks;
}
int blocksWithStaticShared(int blockSize) {
    int blocks = -1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, useShared, blockSize, 0);
    return blocks;
}

}  // namespace host_faults
