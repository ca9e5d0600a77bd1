#include "kernels_host.h"

#include <cstdlib>
#include <functional>
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

void hostReads() {
    volatile float* const d_x = allocated();
    onHost[0] = d_x[1];  // hostReads
}
void hostWrites() {
    float* d_x = allocated();
    d_x[1] = 2;  // hostWrites
}
void hostReadsAfterUse() {
    float* const d_x = allocated();
    cudaMemcpy(d_x, onHost, kBytes, cudaMemcpyHostToDevice);
    touch<<<1, 4>>>(d_x);
    cudaMemcpy(onHost, d_x, kBytes, cudaMemcpyDeviceToHost);
    onHost[0] = d_x[1];  // hostReadsAfterUse
}
void hostNull() {
    volatile int* nothingThere = nullptr;
    *nothingThere = 1;  // hostNull
}
void hostDivides() {
    volatile int zero = 0;
    onHost[0] = 12 / zero;  // hostDivides
}
// Constructed before the simulator's own statics, which the hooks must survive.
const std::vector<int> madeAtStart{1, 2, 3};

__device__ int onDevice;
__constant__ float inConstant[2];
__managed__ int onBoth;
void hostReadsVariable() {
    onHost[0] = static_cast<float>(onDevice);  // hostReadsVariable
}
void hostWritesConstant() {
    for (int i = 0; i < 2; ++i) inConstant[i] = 1;  // hostWritesConstant
}
void hostUsesManaged() { onBoth = onBoth + 1; }
void hostSpins() {
    for (int i = 0; i < 10; i += onHost[1] == 12345.0f) onHost[0] += 1;  // hostSpins
}
void hostCallsForEver() {
    while (cudaDeviceSynchronize() == cudaSuccess) {  // hostCallsForEver
    }
}
void wrongDirection() {
    float* d_x = allocated();
    cudaMemcpy(d_x, onHost, kBytes, cudaMemcpyDeviceToHost);  // wrongDirection
    cudaFree(d_x);
}
void swappedArguments() {
    float* d_x = allocated();
    cudaMemcpy(onHost, d_x, kBytes, cudaMemcpyHostToDevice);  // swappedArguments
    cudaFree(d_x);
}
void copyTooLarge() {
    float* d_x = allocated();
    std::vector<float> big(5);
    cudaMemcpy(d_x, big.data(), kBytes + 1, cudaMemcpyHostToDevice);  // copyTooLarge
    cudaFree(d_x);
}
void copyPartlyOutside() {
    float* d_x = allocated();
    cudaMemcpy(onHost, d_x + 1, kBytes, cudaMemcpyDeviceToHost);  // copyPartlyOutside
    cudaFree(d_x);
}
void copyAfterFree() {
    float* d_x = allocated();
    cudaFree(d_x);
    cudaMemcpy(onHost, d_x, kBytes, cudaMemcpyDeviceToHost);  // copyAfterFree
}
void copyNull() {
    float* d_x = allocated();
    cudaMemcpy(d_x, nullptr, kBytes, cudaMemcpyHostToDevice);  // copyNull
    cudaFree(d_x);
}
void setTooLarge() {
    float* d_x = allocated();
    cudaMemset(d_x, 0, kBytes + 4);  // setTooLarge
    cudaFree(d_x);
}
void setOnHost() {
    cudaMemset(onHost, 0, kBytes);  // setOnHost
}
void doubleFree() {
    float* d_x = allocated();
    cudaFree(d_x);
    cudaFree(d_x);  // doubleFree
}
void freeInside() {
    float* d_x = allocated();
    cudaFree(d_x + 1);  // freeInside
    cudaFree(d_x);
}
void freeHostMemory() {
    cudaFree(onHost);  // freeHostMemory
}
void freePinnedWrongly() {
    float* h_x;
    cudaMallocHost(&h_x, kBytes);
    cudaFree(h_x);  // freePinnedWrongly
    cudaFreeHost(h_x);
}
void symbolTooLarge() {
    float five[5] = {};
    cudaMemcpyToSymbol(filter, five, sizeof five);  // symbolTooLarge
}
void symbolWrongOffset() {
    cudaMemcpyToSymbol(filter, onHost, 8, 12);  // symbolWrongOffset
}
void copyToEndOfHost() {
    float* d_x = allocated();
    cudaMemcpy(d_x, onHost + 1, 12, cudaMemcpyHostToDevice);  // copyToEndOfHost
    cudaFree(d_x);
}
void symbolToEndOfHost() {
    cudaMemcpyToSymbol(filter, onHost, 12);    // symbolToEndOfHost
    cudaMemcpyFromSymbol(onHost, filter, 12);  // symbolToEndOfHost
}
void pitchOfTarget() {
    float* d_x = allocated();
    cudaMemcpy2D(d_x, 4, onHost, 8, 8, 2, cudaMemcpyHostToDevice);  // pitchOfTarget
    cudaFree(d_x);
}
void pitchOfSource() {
    float* d_x = allocated();
    cudaMemcpy2D(d_x, 8, onHost, 4, 8, 2, cudaMemcpyHostToDevice);  // pitchOfSource
    cudaFree(d_x);
}
void noSymbol() {
    cudaMemcpyToSymbol(onHost, onHost, 4);  // noSymbol
}
void addressOfNoSymbol() {
    void* address = nullptr;
    cudaGetSymbolAddress(&address, onHost);  // addressOfNoSymbol
}
void copiedToName() {
    cudaMemcpy(filter, onHost, 4, cudaMemcpyHostToDevice);  // copiedToName
}
void leak() { allocated(); }
void uncheckedLaunch() {
    nothing<<<1, 1>>>();  // uncheckedLaunch
    cudaDeviceSynchronize();
}
void noBlocks() {
    nothing<<<0, 32>>>();  // noBlocks
    cudaGetLastError();
}
void exits() {
    allocated();
    exit(3);
}
void exitsForAttribute() {
    if (cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20))
        exit(1);  // exitsForAttribute
}
void aborts() { abort(); }
void throwsError() { throw std::runtime_error("seven"); }
void throwsText() { throw "text"; }
void throwsNumber() { throw 7; }
void returns() {}

}  // namespace

void run(const std::string& fault) {
    static const std::map<std::string, void (*)()> all{
        {"hostReads", hostReads},
        {"hostWrites", hostWrites},
        {"hostReadsAfterUse", hostReadsAfterUse},
        {"hostNull", hostNull},
        {"hostDivides", hostDivides},
        {"hostSpins", hostSpins},
        {"hostCallsForEver", hostCallsForEver},
        {"hostReadsVariable", hostReadsVariable},
        {"hostWritesConstant", hostWritesConstant},
        {"hostUsesManaged", hostUsesManaged},
        {"wrongDirection", wrongDirection},
        {"swappedArguments", swappedArguments},
        {"copyTooLarge", copyTooLarge},
        {"copyPartlyOutside", copyPartlyOutside},
        {"copyAfterFree", copyAfterFree},
        {"copyNull", copyNull},
        {"setTooLarge", setTooLarge},
        {"setOnHost", setOnHost},
        {"doubleFree", doubleFree},
        {"freeInside", freeInside},
        {"freeHostMemory", freeHostMemory},
        {"freePinnedWrongly", freePinnedWrongly},
        {"symbolTooLarge", symbolTooLarge},
        {"symbolWrongOffset", symbolWrongOffset},
        {"copyToEndOfHost", copyToEndOfHost},
        {"symbolToEndOfHost", symbolToEndOfHost},
        {"pitchOfTarget", pitchOfTarget},
        {"pitchOfSource", pitchOfSource},
        {"noSymbol", noSymbol},
        {"addressOfNoSymbol", addressOfNoSymbol},
        {"copiedToName", copiedToName},
        {"leak", leak},
        {"uncheckedLaunch", uncheckedLaunch},
        {"noBlocks", noBlocks},
        {"exits", exits},
        {"exitsForAttribute", exitsForAttribute},
        {"aborts", aborts},
        {"throwsError", throwsError},
        {"throwsText", throwsText},
        {"throwsNumber", throwsNumber},
        {"returns", returns},
    };
    all.at(fault)();
}

const float* hostMemory() { return onHost; }

void launchWithDynamicShared(int bytes) { nothing<<<1, 1, bytes>>>(); }
void launchAfterOptIn(int bytes) {
    cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    nothing<<<1, 1, bytes>>>();
}
int statusOfAttribute(int bytes) {
    return cudaFuncSetAttribute(useShared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
void launchShape(unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                 unsigned blockZ) {
    nothing<<<dim3(gridX, gridY, gridZ), dim3(blockX, blockY, blockZ)>>>();
}

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
