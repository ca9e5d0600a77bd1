// Devices, their properties, and what a kernel uses of them (CUDA Runtime API, "Device
// management", "Execution control").
#pragma once

#include <cstddef>
#include <type_traits>

#include "cusim/errors.h"
#include "cusim/where.h"

struct cudaUUID_t {
    char bytes[16];
};

// Has CUDA 13's fields without its reserve, and the eight that CUDA 12 had besides. Those of
// textures and surfaces are 0, as the simulated device has none.
struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned luidDeviceNodeMask;
    std::size_t totalGlobalMem, totalConstMem, memPitch;
    std::size_t sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    std::size_t reservedSharedMemPerBlock;
    int regsPerBlock, regsPerMultiprocessor;
    int warpSize, maxThreadsPerBlock, maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
    int maxThreadsDim[3], maxGridSize[3];
    int major, minor, multiProcessorCount, asyncEngineCount;
    int clockRate, memoryClockRate;  // kHz
    int deviceOverlap, kernelExecTimeoutEnabled, computeMode, cooperativeMultiDeviceLaunch;
    int singleToDoublePrecisionPerfRatio;
    int integrated, canMapHostMemory, concurrentKernels, unifiedAddressing, managedMemory;
    int memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, accessPolicyMaxWindowSize;
    int globalL1CacheSupported, localL1CacheSupported;
    int ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
    int streamPrioritiesSupported, isMultiGpuBoard, multiGpuBoardGroupID;
    int hostNativeAtomicSupported, pageableMemoryAccess, concurrentManagedAccess;
    int computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
    int hostRegisterSupported, hostRegisterReadOnlySupported, sparseCudaArraySupported;
    int memoryPoolsSupported, timelineSemaphoreInteropSupported, gpuDirectRDMASupported;
    int clusterLaunch, ipcEventSupported, unifiedFunctionPointers,
        deferredMappingCudaArraySupported;
    std::size_t textureAlignment, texturePitchAlignment, surfaceAlignment;
    int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture1DLayered[2];
    int maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2];
    int maxTexture2DLayered[3], maxTexture3D[3], maxTexture3DAlt[3];
    int maxTextureCubemap, maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2];
    int maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
};

struct cudaFuncAttributes {
    std::size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs;
    int ptxVersion, binaryVersion;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

enum cudaDeviceAttr {
#define CUSIM_ATTRIBUTE(name, value, property) name = value,
#include "cusim/device_attributes.def"
#undef CUSIM_ATTRIBUTE
};
enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
// Values of cudaFuncAttributePreferredSharedMemoryCarveout.
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100
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
}  // namespace cusim

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
// Succeeds and changes nothing: the simulated device maps memory without a flag.
constexpr unsigned cudaDeviceScheduleAuto = 0, cudaDeviceScheduleSpin = 1,
                   cudaDeviceBlockingSync = 4, cudaDeviceScheduleYield = 2,
                   cudaDeviceScheduleBlockingSync = 4, cudaDeviceMapHost = 8;
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
template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel*, cudaFuncCache) {
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
