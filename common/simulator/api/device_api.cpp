// Devices, function attributes and occupancy.
#include <map>

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
        return runtime.keep(
            cudaErrorInvalidValue,
            joined(value,
                   " bytes of shared memory are asked for; the device gives a block at most ",
                   most));
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

Occupancy occupancy(int threadsPerBlock, std::size_t sharedBytes) {
    return occupancyOn(deviceProfile(), threadsPerBlock, sharedBytes);
}

Occupancy occupancy(const LaunchReport& launch) {
    return occupancy(static_cast<int>(launch.block.x * launch.block.y * launch.block.z),
                     launch.staticSharedBytes + launch.dynamicSharedBytes);
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

cudaError_t cudaSetDeviceFlags(unsigned) { return Runtime::instance().enter("cudaSetDeviceFlags"); }

cudaError_t cudaDeviceReset(cusim::Where) {
    Runtime& runtime = Runtime::instance();
    runtime.sticky = cudaSuccess;
    if (const cudaError_t error = runtime.enter("cudaDeviceReset")) return error;
    cusim::DeviceMemory::instance().freeAll();
    runtime.last = cudaSuccess;
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
    const std::map<cudaDeviceAttr, int> values = {
        {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
        {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
        {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<int>(p.sharedMemPerBlock)},
        {cudaDevAttrTotalConstantMemory, static_cast<int>(p.totalConstMem)},
        {cudaDevAttrWarpSize, p.warpSize},
        {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrComputeCapabilityMajor, p.major},
        {cudaDevAttrComputeCapabilityMinor, p.minor},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor,
         static_cast<int>(p.sharedMemPerMultiprocessor)},
        {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(p.sharedMemPerBlockOptin)},
        {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
    };
    const auto found = values.find(attribute);
    if (found == values.end()) return Runtime::instance().keep(cudaErrorInvalidValue);
    *value = found->second;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
