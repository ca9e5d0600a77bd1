// Memory management (CUDA Runtime API, "Memory Management"). Sizes are in bytes; pointers are of
// the kind that the name says. A function that fails returns the error and keeps it for
// cudaGetLastError.
#pragma once

#include <cstddef>
#include <type_traits>

#include "cusim/errors.h"
#include "cusim/padding.h"
#include "cusim/stream_types.h"
#include "cusim/uncounted.h"
#include "cusim/where.h"

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};
constexpr unsigned cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4;
constexpr unsigned cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2,
                   cudaHostAllocWriteCombined = 4;

namespace cusim {

enum class MemoryKind {
    Device,
    Managed,
    Pinned,
    DeviceVariable,
    ConstantVariable,
    ManagedVariable
};

// Memory of a stream's pool is there once the stream has come to the call.
cudaError_t allocate(void** pointer, std::size_t bytes, MemoryKind kind, Where at,
                     bool inStream = false, cudaStream_t stream = nullptr);
// The direction of a symbol's copy, the stream, and whether the host waits for it.
struct SymbolCopy {
    cudaMemcpyKind kind;
    cudaStream_t stream = nullptr;
    bool waits = true;
};
cudaError_t copyToSymbol(const void* symbol, const void* source, std::size_t bytes,
                         std::size_t offset, SymbolCopy how, Where at);
cudaError_t copyFromSymbol(void* target, const void* symbol, std::size_t bytes, std::size_t offset,
                           SymbolCopy how, Where at);
cudaError_t symbolAddress(void** pointer, const void* symbol, Where at);
cudaError_t symbolSize(std::size_t* bytes, const void* symbol, Where at);
cudaError_t mappedPointer(void** device, void* host, Where at);
void registerVariable(void* variable, std::size_t bytes, const char* name, MemoryKind kind,
                      Where at);
void registerVariablesOf(const char* nameOfTemplate, MemoryKind kind, Where at);

// Registers a __device__, __managed__ or __constant__ variable, and holds the host's copy of it,
// which is what its name means in host code. The translator adds one after each declaration;
// DeviceMemory finds it by its name.
template <class T>
class VariableRegistration {
  public:
    VariableRegistration(T& variable, const char* name, MemoryKind kind, Where at = Where::here()) {
        void* const start = const_cast<void*>(reinterpret_cast<const volatile void*>(&variable));
        registerVariable(start, sizeof variable, name, kind, at);
    }
    T& onHost() const { return reinterpret_cast<T&>(copy_); }

  private:
    alignas(T) alignas(16) mutable char copy_[sizeof(T)];
};

// The same for all variables that the program has of a template.
struct VariablesOfTemplate {
    VariablesOfTemplate(const char* name, MemoryKind kind, Where at = Where::here()) {
        registerVariablesOf(name, kind, at);
    }
};

namespace detail {
// Replaces (void**) in cudaMalloc((void**)&pointer, ...), which would lose the elements' type.
struct OfAnyType {
    template <class T>
    std::remove_cv_t<T>** operator->*(T** pointer) const {
        return (std::remove_cv_t<T>**)pointer;
    }
    template <class Other>
    void** operator->*(const Other& pointer) const {
        return (void**)pointer;
    }
};
}  // namespace detail

}  // namespace cusim

template <class T>
CUSIM_UNCOUNTED cudaError_t cudaMalloc(T** pointer, std::size_t bytes,
                                       cusim::Where at = cusim::Where::here()) {
    const cudaError_t error =
        cusim::allocate(reinterpret_cast<void**>(pointer), bytes, cusim::MemoryKind::Device, at);
    if (error == cudaSuccess) cusim::detail::notePaddingOf<T>(*pointer);
    return error;
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes, unsigned = cudaMemAttachGlobal,
                              cusim::Where at = cusim::Where::here()) {
    return cusim::allocate(reinterpret_cast<void**>(pointer), bytes, cusim::MemoryKind::Managed,
                           at);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned = cudaHostAllocDefault,
                           cusim::Where at = cusim::Where::here()) {
    return cusim::allocate(reinterpret_cast<void**>(pointer), bytes, cusim::MemoryKind::Pinned, at);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned,
                          cusim::Where at = cusim::Where::here()) {
    return cusim::allocate(reinterpret_cast<void**>(pointer), bytes, cusim::MemoryKind::Pinned, at);
}
// Pin what the host has allocated, which the simulated device does not need.
inline constexpr unsigned cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1,
                          cudaHostRegisterMapped = 2, cudaHostRegisterIoMemory = 4,
                          cudaHostRegisterReadOnly = 8;
cudaError_t cudaHostRegister(void* start, std::size_t bytes, unsigned flags,
                             cusim::Where at = cusim::Where::here());
cudaError_t cudaHostUnregister(void* start);
// Memory of a stream's pool; the simulated device allocates and frees at once.
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream,
                            cusim::Where at = cusim::Where::here()) {
    return cusim::allocate(reinterpret_cast<void**>(pointer), bytes, cusim::MemoryKind::Device, at,
                           true, stream);
}
// The device's only pool, which keeps nothing of what is freed.
struct cudaMemPool;
using cudaMemPool_t = cudaMemPool*;
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4
};
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    *pool = nullptr;
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return cudaSuccess; }
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** pointer, std::size_t bytes, cudaMemPool_t,
                                    cudaStream_t stream, cusim::Where at = cusim::Where::here()) {
    return cudaMallocAsync(pointer, bytes, stream, at);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned,
                                     cusim::Where at = cusim::Where::here()) {
    return cusim::mappedPointer(reinterpret_cast<void**>(device), host, at);
}
cudaError_t cudaFree(void* pointer, cusim::Where at = cusim::Where::here());
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream,
                          cusim::Where at = cusim::Where::here());
cudaError_t cudaFreeHost(void* pointer, cusim::Where at = cusim::Where::here());

cudaError_t cudaMemcpy(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind,
                       cusim::Where at = cusim::Where::here());
cudaError_t cudaMemcpyAsync(void* target, const void* source, std::size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                            cusim::Where at = cusim::Where::here());
cudaError_t cudaMemset(void* target, int value, std::size_t bytes,
                       cusim::Where at = cusim::Where::here());
cudaError_t cudaMemsetAsync(void* target, int value, std::size_t bytes,
                            cudaStream_t stream = nullptr, cusim::Where at = cusim::Where::here());
// Copy or fill `height` rows of `width` bytes, which lie `pitch` bytes apart.
cudaError_t cudaMemcpy2D(void* target, std::size_t targetPitch, const void* source,
                         std::size_t sourcePitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind, cusim::Where at = cusim::Where::here());
cudaError_t cudaMemcpy2DAsync(void* target, std::size_t targetPitch, const void* source,
                              std::size_t sourcePitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                              cusim::Where at = cusim::Where::here());
cudaError_t cudaMemset2D(void* target, std::size_t pitch, int value, std::size_t width,
                         std::size_t height, cusim::Where at = cusim::Where::here());
cudaError_t cudaMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream = nullptr,
                              cusim::Where at = cusim::Where::here());
// Succeed and move nothing: the simulated device has one memory for both sides.
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
};
constexpr int cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2;
cudaError_t cudaMemPrefetchAsync(const void* memory, std::size_t bytes, int device,
                                 cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(const void* memory, std::size_t bytes, cudaMemoryAdvise advice,
                          int device);
enum cudaMemLocationType { cudaMemLocationTypeDevice = 1, cudaMemLocationTypeHost = 2 };
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
inline cudaError_t cudaMemPrefetchAsync(const void* memory, std::size_t bytes, cudaMemLocation to,
                                        unsigned, cudaStream_t stream = nullptr) {
    return cudaMemPrefetchAsync(memory, bytes, to.id, stream);
}
inline cudaError_t cudaMemAdvise(const void* memory, std::size_t bytes, cudaMemoryAdvise advice,
                                 cudaMemLocation by) {
    return cudaMemAdvise(memory, bytes, advice, by.id);
}
// One device copies to itself.
inline cudaError_t cudaMemcpyPeer(void* target, int, const void* source, int, std::size_t bytes,
                                  cusim::Where at = cusim::Where::here()) {
    return cudaMemcpy(target, source, bytes, cudaMemcpyDeviceToDevice, at);
}
inline cudaError_t cudaMemcpyPeerAsync(void* target, int, const void* source, int,
                                       std::size_t bytes, cudaStream_t stream = nullptr,
                                       cusim::Where at = cusim::Where::here()) {
    return cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream, at);
}
enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
cudaError_t cudaMemGetInfo(std::size_t* freeBytes, std::size_t* totalBytes);
template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                            cusim::Where at = cusim::Where::here()) {
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(pointer, *pitch * height, at);
}

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* source, std::size_t bytes,
                               std::size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                               cusim::Where at = cusim::Where::here()) {
    return cusim::copyToSymbol(&symbol, source, bytes, offset, {kind}, at);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* target, const T& symbol, std::size_t bytes,
                                 std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                 cusim::Where at = cusim::Where::here()) {
    return cusim::copyFromSymbol(target, &symbol, bytes, offset, {kind}, at);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* source, std::size_t bytes,
                                    std::size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream = nullptr,
                                    cusim::Where at = cusim::Where::here()) {
    return cusim::copyToSymbol(&symbol, source, bytes, offset, {kind, stream, false}, at);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* target, const T& symbol, std::size_t bytes,
                                      std::size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr,
                                      cusim::Where at = cusim::Where::here()) {
    return cusim::copyFromSymbol(target, &symbol, bytes, offset, {kind, stream, false}, at);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol,
                                 cusim::Where at = cusim::Where::here()) {
    return cusim::symbolAddress(pointer, &symbol, at);
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol,
                              cusim::Where at = cusim::Where::here()) {
    return cusim::symbolSize(bytes, &symbol, at);
}
