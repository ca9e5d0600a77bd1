// Devices, their properties, and what a kernel uses of them (CUDA Runtime API, "Device
// management", "Execution control", "Occupancy").
#pragma once

#include <cstddef>
#include <type_traits>

#include "cusim/errors.h"
#include "cusim/where.h"

struct cudaDeviceProp {
    char name[256];
    std::size_t totalGlobalMem, totalConstMem, memPitch;
    std::size_t sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    std::size_t reservedSharedMemPerBlock;
    int regsPerBlock, regsPerMultiprocessor;
    int warpSize, maxThreadsPerBlock, maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
    int maxThreadsDim[3], maxGridSize[3];
    int major, minor, multiProcessorCount, asyncEngineCount;
    int integrated, canMapHostMemory, concurrentKernels, unifiedAddressing, managedMemory;
    int memoryBusWidth, l2CacheSize, ECCEnabled;
};

struct cudaFuncAttributes {
    std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs;
    int ptxVersion, binaryVersion;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
};

namespace cusim {
cudaError_t functionAttributes(cudaFuncAttributes* attributes, const void* function);
cudaError_t setFunctionAttribute(const void* function, cudaFuncAttribute attribute, int value);
cudaError_t blocksPerMultiprocessor(int* blocks, const void* function, int blockSize,
                                    std::size_t dynamicSharedBytes);
}  // namespace cusim

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
// Succeeds and changes nothing: the simulated device maps memory without a flag.
constexpr unsigned cudaDeviceScheduleAuto = 0, cudaDeviceScheduleSpin = 1,
                   cudaDeviceScheduleYield = 2, cudaDeviceScheduleBlockingSync = 4,
                   cudaDeviceMapHost = 8;
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaDeviceReset(cusim::Where at = cusim::Where::here());
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDriverGetVersion(int* version);

template <class... Parameters>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(Parameters...)) {
    return cusim::functionAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
// A kernel's address, and not its name.
template <class Void, std::enable_if_t<std::is_void_v<Void>, int> = 0>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Void* kernel) {
    return cusim::functionAttributes(attributes, kernel);
}
template <class... Parameters>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), cudaFuncAttribute attribute,
                                 int value) {
    return cusim::setFunctionAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class Void, std::enable_if_t<std::is_void_v<Void>, int> = 0>
cudaError_t cudaFuncSetAttribute(Void* kernel, cudaFuncAttribute attribute, int value) {
    return cusim::setFunctionAttribute(kernel, attribute, value);
}
// Succeeds and changes nothing: the simulated device has no cache to configure.
template <class... Parameters>
cudaError_t cudaFuncSetCacheConfig(void (*)(Parameters...), cudaFuncCache) {
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }

template <class... Parameters>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                          void (*kernel)(Parameters...),
                                                          int blockSize,
                                                          std::size_t dynamicSharedBytes) {
    return cusim::blocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), blockSize,
                                          dynamicSharedBytes);
}

// Proposes blocks as large as the device takes, and how many fill it; registers are unknown.
template <class... Parameters>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* leastGrid, int* blockSize,
                                               void (*kernel)(Parameters...),
                                               std::size_t dynamicSharedBytes = 0, int limit = 0) {
    cudaDeviceProp device;
    if (const cudaError_t error = cudaGetDeviceProperties(&device, 0)) return error;
    const int most = device.maxThreadsPerBlock;
    *blockSize = limit > 0 && limit < most ? limit : most;
    const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        leastGrid, kernel, *blockSize, dynamicSharedBytes);
    *leastGrid *= device.multiProcessorCount;
    return error;
}
