// Host memory that is registered, or that the device reads and stores itself; the kind of memory of
// a pointer.
#include "simulator/engine/runtime.h"
#include "simulator/include/cusim/memory_api.h"
#include "simulator/memory/closed_pages.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

cudaError_t mappedPointer(void** device, void* host, Where at) {
    if (const cudaError_t error = Runtime::instance().enter("cudaHostGetDevicePointer"))
        return error;
    const Allocation* const mapped = DeviceMemory::instance().find(host);
    if (!mapped || !mapped->live)
        return Runtime::instance().refuse(
            cudaErrorInvalidValue,
            {"unsupported",
             "cudaHostGetDevicePointer: this memory does not come from cudaHostAlloc", at,
             "The simulated device maps only memory from cudaHostAlloc and cudaMallocHost: use it, "
             "or copy to memory from cudaMalloc."});
    *device = host;
    return cudaSuccess;
}

}  // namespace cusim

using cusim::DeviceMemory;
using cusim::Runtime;

cudaError_t cudaHostRegister(void* start, std::size_t bytes, unsigned, cusim::Where at) {
    if (const cudaError_t error = Runtime::instance().enter("cudaHostRegister")) return error;
    if (!start || bytes == 0) return Runtime::instance().keep(cudaErrorInvalidValue);
    if (Runtime::instance().isRegistered(start))
        return Runtime::instance().keep(cudaErrorHostMemoryAlreadyRegistered);
    const auto base = reinterpret_cast<std::uintptr_t>(start);
    Runtime::instance().registered[base] = {bytes, at};
    cusim::registeredRange.add(base, bytes);
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* start) {
    if (const cudaError_t error = Runtime::instance().enter("cudaHostUnregister")) return error;
    const auto base = reinterpret_cast<std::uintptr_t>(start);
    const bool known = Runtime::instance().registered.erase(base) > 0;
    cusim::ClosedPages::instance().forget(base);
    return known ? cudaSuccess : Runtime::instance().keep(cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaMemPrefetchAsync(const void* start, std::size_t, int, cudaStream_t) {
    if (const cudaError_t error = Runtime::instance().enter("cudaMemPrefetchAsync")) return error;
    const cusim::Allocation* const managed = DeviceMemory::instance().find(start);
    const bool good = managed && managed->live && managed->kind != cusim::MemoryKind::Device;
    return good ? cudaSuccess : Runtime::instance().keep(cudaErrorInvalidValue);
}

cudaError_t cudaMemAdvise(const void* start, std::size_t bytes, cudaMemoryAdvise, int device) {
    return cudaMemPrefetchAsync(start, bytes, device, nullptr);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    const Runtime::Turn turn;
    if (const cudaError_t error = Runtime::instance().enter("cudaPointerGetAttributes"))
        return error;
    const cusim::Allocation* const found = DeviceMemory::instance().find(pointer);
    void* const place = const_cast<void*>(pointer);
    *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, place};
    if (found && found->live) {
        const bool pinned = found->kind == cusim::MemoryKind::Pinned;
        attributes->type = pinned                   ? cudaMemoryTypeHost
                           : found->hostMayAccess() ? cudaMemoryTypeManaged
                                                    : cudaMemoryTypeDevice;
        attributes->hostPointer = found->hostMayAccess() ? place : nullptr;
    } else if (Runtime::instance().isRegistered(pointer)) {
        attributes->type = cudaMemoryTypeHost;
    } else {
        return cudaSuccess;
    }
    attributes->device = 0;
    attributes->devicePointer = place;
    return cudaSuccess;
}
