// Devices, function attributes and occupancy.
#include <algorithm>

#include "simulator/engine/device_profile.h"
#include "simulator/engine/runtime.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/shared_memory.h"
#include "simulator/memory/symbols.h"

namespace cusim {

cudaError_t functionAttributes(cudaFuncAttributes* attributes, const void* function) {
    Runtime& runtime = Runtime::instance();
    if (const cudaError_t error = runtime.enter("cudaFuncGetAttributes")) return error;
    if (mangledName(function).empty()) return runtime.keep(cudaErrorInvalidDeviceFunction);
    *attributes = {};
    attributes->sharedSizeBytes = SharedMemoryMap::instance().staticBytes(function);
    attributes->maxThreadsPerBlock = deviceProfile().maxThreadsPerBlock;
    // 0 for unknown: no device compiler has seen the kernel.
    attributes->numRegs = 0;
    attributes->ptxVersion = attributes->binaryVersion =
        10 * deviceProfile().major + deviceProfile().minor;
    const auto limit = runtime.dynamicSharedLimit.find(function);
    attributes->maxDynamicSharedSizeBytes =
        limit != runtime.dynamicSharedLimit.end()
            ? limit->second
            : static_cast<int>(deviceProfile().sharedMemPerBlock - attributes->sharedSizeBytes);
    return cudaSuccess;
}

cudaError_t setFunctionAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    Runtime& runtime = Runtime::instance();
    if (const cudaError_t error = runtime.enter("cudaFuncSetAttribute")) return error;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    const std::size_t most =
        deviceProfile().sharedMemPerBlockOptin - SharedMemoryMap::instance().staticBytes(function);
    if (value < 0 || static_cast<std::size_t>(value) > most)
        return runtime.keep(cudaErrorInvalidValue,
                            std::to_string(value) + " bytes of shared memory are asked for; the " +
                                "device gives a block at most " + std::to_string(most));
    runtime.dynamicSharedLimit[function] = value;
    return cudaSuccess;
}

cudaError_t blocksPerMultiprocessor(int* blocks, const void* function, int blockSize,
                                    std::size_t dynamicSharedBytes) {
    Runtime& runtime = Runtime::instance();
    if (const cudaError_t error = runtime.enter("cudaOccupancyMaxActiveBlocksPerMultiprocessor"))
        return error;
    if (blockSize < 1) return runtime.keep(cudaErrorInvalidValue);
    const std::size_t shared =
        SharedMemoryMap::instance().staticBytes(function) + dynamicSharedBytes;
    *blocks = occupancy(blockSize, shared).blocks;
    return cudaSuccess;
}

}  // namespace cusim

using cusim::deviceProfile;
using cusim::Runtime;

cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return Runtime::instance().enter("cudaGetDeviceCount");
}

cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return Runtime::instance().enter("cudaGetDevice");
}

cudaError_t cudaSetDevice(int device) {
    if (const cudaError_t error = Runtime::instance().enter("cudaSetDevice")) return error;
    return device == 0 ? cudaSuccess : Runtime::instance().keep(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceReset(cusim::Where) {
    Runtime& runtime = Runtime::instance();
    cusim::DeviceMemory::instance().freeAll();
    runtime.last = runtime.sticky = cudaSuccess;
    runtime.calls.emplace_back("cudaDeviceReset");
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (const cudaError_t error = Runtime::instance().enter("cudaGetDeviceProperties"))
        return error;
    if (device != 0) return Runtime::instance().keep(cudaErrorInvalidDevice);
    *properties = deviceProfile();
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    if (const cudaError_t error = Runtime::instance().enter("cudaDeviceGetAttribute")) return error;
    if (device != 0) return Runtime::instance().keep(cudaErrorInvalidDevice);
    const cudaDeviceProp& p = deviceProfile();
    const auto set = [&](auto v) {
        *value = static_cast<int>(v);
        return cudaSuccess;
    };
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
            return set(p.maxThreadsPerBlock);
        case cudaDevAttrMaxBlockDimX:
            return set(p.maxThreadsDim[0]);
        case cudaDevAttrMaxGridDimX:
            return set(p.maxGridSize[0]);
        case cudaDevAttrMaxSharedMemoryPerBlock:
            return set(p.sharedMemPerBlock);
        case cudaDevAttrTotalConstantMemory:
            return set(p.totalConstMem);
        case cudaDevAttrWarpSize:
            return set(p.warpSize);
        case cudaDevAttrMaxRegistersPerBlock:
            return set(p.regsPerBlock);
        case cudaDevAttrMultiProcessorCount:
            return set(p.multiProcessorCount);
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            return set(p.maxThreadsPerMultiProcessor);
        case cudaDevAttrComputeCapabilityMajor:
            return set(p.major);
        case cudaDevAttrComputeCapabilityMinor:
            return set(p.minor);
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            return set(p.sharedMemPerMultiprocessor);
        case cudaDevAttrMaxRegistersPerMultiprocessor:
            return set(p.regsPerMultiprocessor);
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            return set(p.sharedMemPerBlockOptin);
        case cudaDevAttrMaxBlocksPerMultiprocessor:
            return set(p.maxBlocksPerMultiProcessor);
    }
    return Runtime::instance().keep(cudaErrorInvalidValue);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
