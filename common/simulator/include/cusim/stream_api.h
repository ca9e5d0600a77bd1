// Streams and events (CUDA Runtime API, "Stream Management", "Event Management"). The simulated
// device finishes all work before a call returns, which is one of the orders a device may take.
// Events take the host's clock; elapsed time is in milliseconds.
#pragma once

#include <cstddef>

#include "cusim/errors.h"
#include "cusim/stream_types.h"
#include "cusim/where.h"

// How functions of the host are declared that the runtime calls; nothing special here.
#define CUDART_CB
using cudaStreamCallback_t = void (*)(cudaStream_t, cudaError_t, void*);
using cudaHostFn_t = void (*)(void*);
constexpr unsigned cudaEventRecordDefault = 0, cudaEventRecordExternal = 1;
constexpr unsigned cudaEventWaitDefault = 0, cudaEventWaitExternal = 1;

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags);
// Call the function at once, as all earlier work of the stream is done.
inline cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    struct Called {
        cudaHostFn_t function;
        void* data;
    } called{function, data};
    const auto call = [](cudaStream_t, cudaError_t, void* packed) {
        const auto* const one = static_cast<const Called*>(packed);
        one->function(one->data);
    };
    return cudaStreamAddCallback(stream, call, &called, 0);
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
// Succeeds and attaches nothing: managed memory belongs to all streams.
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, T*, std::size_t = 0, unsigned = 4) {
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
    return cudaEventCreateWithFlags(event, flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
                                            unsigned = cudaEventRecordDefault) {
    return cudaEventRecord(event, stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end,
                                 cusim::Where at = cusim::Where::here());

cudaError_t cudaDeviceSynchronize();
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
