// What programs ask and set beside a device's properties (CUDA Runtime API, "Device Management",
// "Peer Device Memory Access", "Profiler Control").
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>

#include "cusim/device_properties.h"

enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6
};
// The heap's size holds for new and malloc in kernels; the other limits change nothing here.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value);
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit);

// One device has no peers.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4
};
inline cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
    return cudaErrorInvalidDevice;
}

inline cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
    if (size < 1 || device != 0)
        return device == 0 ? cudaErrorInvalidValue : cudaErrorInvalidDevice;
    std::snprintf(text, static_cast<std::size_t>(size), "0000:00:00.0");
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
    *device = 0;
    return std::strcmp(text, "0000:00:00.0") == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
inline cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
    return cudaGetDevice(device);
}
inline cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
inline cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
}

// Succeed and change nothing, as there are neither banks of another width nor a profiler.
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
};
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncSetSharedMemConfig(Kernel*, cudaSharedMemConfig) {
    return cudaSuccess;
}
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
inline cudaError_t cudaThreadExit(cusim::Where at = cusim::Where::here()) {
    return cudaDeviceReset(at);
}
