// Devices, function attributes and occupancy.
#include "simulator/include/cusim/device_api.h"

#include <climits>

#include "simulator/api/launch_limits.h"
#include "simulator/engine/device_profile.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/waits.h"
#include "simulator/include/cusim/occupancy.h"
#include "simulator/memory/device_heap.h"
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
    const int asked = dynamicSharedAsked(function);
    attributes->maxDynamicSharedSizeBytes =
        asked >= 0
            ? asked
            : static_cast<int>(deviceProfile().sharedMemPerBlock - attributes->sharedSizeBytes);
    return cudaSuccess;
}

cudaError_t setFunctionAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    Runtime& runtime = Runtime::instance();
    if (const cudaError_t error = runtime.enter("cudaFuncSetAttribute")) return error;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    const std::size_t most = mostDynamicShared(function);
    if (value < 0 || static_cast<std::size_t>(value) > most)
        return runtime.keep(
            cudaErrorInvalidValue,
            joined(value, " bytes of shared memory are requested, but a block can have at most ",
                   most));
    runtime.dynamicSharedAsked[function] =
        static_cast<std::size_t>(value) == most ? INT_MAX : value;
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

cudaError_t cudaDeviceReset(cusim::Where at) {
    const Runtime::Turn turn;
    Runtime& runtime = Runtime::instance();
    runtime.sticky = cudaSuccess;
    if (const cudaError_t error = runtime.enter("cudaDeviceReset")) return error;
    cusim::Waits::instance().hostWaitsForAll();
    cusim::DeviceMemory::instance().freeAll();
    for (const auto& one : cusim::DeviceMemory::instance().allocations())
        if (!one->live && one->freedAt.line == 0) one->freedAt = at;
    runtime.dynamicSharedAsked.clear();
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
    switch (attribute) {
#define CUSIM_ATTRIBUTE(name, number, property) \
    case name:                                  \
        *value = static_cast<int>(p.property);  \
        break;
#include "simulator/include/cusim/device_attributes.def"
#undef CUSIM_ATTRIBUTE
        default:
            return Runtime::instance().keep(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

namespace {

// Checks the number of the only device.
cudaError_t enterFor(const char* function, int device) {
    if (const cudaError_t error = Runtime::instance().enter(function)) return error;
    return device == 0 ? cudaSuccess : Runtime::instance().keep(cudaErrorInvalidDevice);
}

}  // namespace

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    if (const auto error = enterFor("cudaDeviceSetLimit", 0)) return error;
    if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize)
        return Runtime::instance().keep(cudaErrorUnsupportedLimit);
    if (limit == cudaLimitMallocHeapSize) cusim::DeviceHeap::instance().setLimit(value);
    Runtime::instance().limits[limit] = value;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    if (const auto error = enterFor("cudaDeviceGetLimit", 0)) return error;
    // The defaults of a card.
    static constexpr std::size_t kDefaults[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
    if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize)
        return Runtime::instance().keep(cudaErrorUnsupportedLimit);
    const auto set = Runtime::instance().limits.find(limit);
    *value = set == Runtime::instance().limits.end() ? kDefaults[limit] : set->second;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    *can = 0;
    if (const auto error = enterFor("cudaDeviceCanAccessPeer", device)) return error;
    return enterFor("cudaDeviceCanAccessPeer", peer);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
    return enterFor("cudaDeviceEnablePeerAccess", -1);
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
    if (const auto error = enterFor("cudaDeviceDisablePeerAccess", 0)) return error;
    return Runtime::instance().keep(cudaErrorPeerAccessNotEnabled);
}
