// The functions of the runtime that student host code calls on the device, and how their arguments
// are sent to the other process. The build makes stubs only for these.
#pragma once

#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "simulator/include/cuda_runtime.h"
#include "verdict/record/bytes.h"

namespace host {

template <auto...>
struct Functions {};

// For those with several forms, the others call these.
constexpr cudaError_t (*kPrefetch)(const void*, std::size_t, int,
                                   cudaStream_t) = &cudaMemPrefetchAsync;
constexpr cudaError_t (*kEventCreate)(cudaEvent_t*) = &cudaEventCreate;
constexpr cudaError_t (*kAdvise)(const void*, std::size_t, cudaMemoryAdvise, int) = &cudaMemAdvise;

using Forwarded = Functions<
    &cusim::run, &cusim::registerVariable, &cusim::allocate, &cusim::copyToSymbol,
    &cusim::copyFromSymbol, &cusim::symbolAddress, &cusim::symbolSize, &cusim::mappedPointer,
    &cusim::functionAttributes, &cusim::setFunctionAttribute, &cusim::blocksPerMultiprocessor,
    &cudaFree, &cudaFreeAsync, &cudaFreeHost, &cudaMemcpy, &cudaMemcpyAsync, &cudaMemcpy2D,
    &cudaMemcpy2DAsync, &cudaMemset, &cudaMemsetAsync, &cudaMemset2D, &cudaMemset2DAsync, kPrefetch,
    kAdvise, &cudaMemGetInfo, &cudaHostRegister, &cudaHostUnregister, &cudaGetLastError,
    &cudaPeekAtLastError, &cudaGetDeviceCount, &cudaGetDevice, &cudaSetDevice, &cudaSetDeviceFlags,
    &cudaDeviceReset, &cudaGetDeviceProperties, &cudaDeviceGetAttribute, &cudaDeviceSynchronize,
    &cudaStreamCreate, &cudaStreamCreateWithFlags, &cudaStreamCreateWithPriority,
    &cudaDeviceGetStreamPriorityRange, &cudaStreamDestroy, &cudaStreamSynchronize, &cudaStreamQuery,
    &cudaStreamWaitEvent, &cudaStreamAddCallback, kEventCreate, &cudaEventCreateWithFlags,
    &cudaEventDestroy, &cudaEventRecord, &cudaEventSynchronize, &cudaEventQuery,
    &cudaEventElapsedTime, &cudaDeviceSetLimit, &cudaDeviceGetLimit, &cudaDeviceCanAccessPeer,
    &cudaDeviceEnablePeerAccess, &cudaDeviceDisablePeerAccess, &cudaStreamGetFlags,
    &cudaStreamGetPriority, &cudaPointerGetAttributes>;

template <auto>
struct Function {};
template <auto one, auto other>
constexpr bool kSame = std::is_same_v<Function<one>, Function<other>>;

// Returns the number by which a message names a function.
template <auto wanted, auto... all>
constexpr std::uint32_t numberOf(Functions<all...>) {
    static_assert((kSame<wanted, all> || ...), "a function that is not forwarded");
    std::uint32_t number = 0, found = 0;
    ((found = kSame<wanted, all> ? number : found, ++number), ...);
    return found;
}

// True for a parameter by which the function stores one value; it may have one before. Streams and
// events are the device's, and void* names memory whose size the function knows.
template <class T>
constexpr bool kIsOut = false;
template <class T>
constexpr bool kIsOut<T*> = std::is_object_v<T> && !std::is_const_v<T> &&
                            !std::is_same_v<T, cusim::Stream> && !std::is_same_v<T, cusim::Event>;

// True for the functions whose result pointers may be null.
template <auto function>
constexpr bool kTakesNull =
    kSame<function, &cusim::allocate> || kSame<function, &cudaDeviceGetStreamPriorityRange>;

// Append and take the bytes of a value that holds no pointer to follow; a pointer is such a value.
// NOLINTBEGIN(bugprone-sizeof-expression)
template <class T>
void put(testing::ByteWriter& writer, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    writer(std::string_view(reinterpret_cast<const char*>(&value), sizeof value));
}
template <class T>
T take(testing::ByteReader& reader) {
    const std::string_view bytes = reader.view();
    if (bytes.size() != sizeof(T)) throw testing::Damaged("a message has a value of another type");
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}
// NOLINTEND(bugprone-sizeof-expression)

}  // namespace host
