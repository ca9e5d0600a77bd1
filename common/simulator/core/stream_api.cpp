#include "simulator/include/cusim/stream_api.h"

#include <chrono>
#include <set>

#include "simulator/core/runtime.h"

namespace cusim {

struct Stream {};
struct Event {
    bool timing = true;
    bool recorded = false;
    std::chrono::steady_clock::time_point when{};
};

namespace {

// Handles that exist, so that a wild or destroyed one is an error and not a crash.
template <class T>
std::set<T*>& living() {
    static auto* const handles = new std::set<T*>;
    return *handles;
}

template <class T>
cudaError_t create(const char* function, T** handle) {
    if (const cudaError_t error = Runtime::instance().enter(function)) return error;
    *handle = new T;
    living<T>().insert(*handle);
    return cudaSuccess;
}

template <class T>
cudaError_t destroy(const char* function, T* handle) {
    if (const cudaError_t error = Runtime::instance().enter(function)) return error;
    if (living<T>().erase(handle) == 0)
        return Runtime::instance().keep(cudaErrorInvalidResourceHandle);
    delete handle;
    return cudaSuccess;
}

// The null stream is the default stream; a null event is none.
cudaError_t use(const char* function, const Stream* stream, const Event* event, bool needsEvent) {
    if (const cudaError_t error = Runtime::instance().enter(function)) return error;
    const bool goodStream = !stream || living<Stream>().count(const_cast<Stream*>(stream));
    const bool goodEvent = !needsEvent || living<Event>().count(const_cast<Event*>(event));
    if (goodStream && goodEvent) return cudaSuccess;
    return Runtime::instance().keep(cudaErrorInvalidResourceHandle);
}

}  // namespace
}  // namespace cusim

using cusim::Runtime;

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cusim::create("cudaStreamCreate", stream);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    return cusim::create("cudaStreamCreate", stream);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return cusim::destroy("cudaStreamDestroy", stream);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return cusim::use("cudaStreamSynchronize", stream, nullptr, false);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return cusim::use("cudaStreamQuery", stream, nullptr, false);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return cusim::use("cudaStreamWaitEvent", stream, event, true);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned) {
    if (const auto e = cusim::use("cudaStreamAddCallback", stream, nullptr, false)) return e;
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cusim::create("cudaEventCreate", event); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    if (const cudaError_t error = cusim::create("cudaEventCreate", event)) return error;
    (*event)->timing = !(flags & cudaEventDisableTiming);
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return cusim::destroy("cudaEventDestroy", event);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (const auto e = cusim::use("cudaEventRecord", stream, event, true)) return e;
    event->recorded = true;
    event->when = std::chrono::steady_clock::now();
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return cusim::use("cudaEventSynchronize", nullptr, event, true);
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    return cusim::use("cudaEventQuery", nullptr, event, true);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (const auto e = cusim::use("cudaEventElapsedTime", nullptr, start, true)) return e;
    if (const auto e = cusim::use("cudaEventElapsedTime", nullptr, end, true)) return e;
    if (!start->recorded || !end->recorded || !start->timing || !end->timing)
        return Runtime::instance().keep(cudaErrorInvalidResourceHandle);
    *milliseconds = std::chrono::duration<float, std::milli>(end->when - start->when).count();
    return cudaSuccess;
}

// Work is done before each call returns, so there is nothing to wait for; like a device, it
// tells of a kernel that failed.
cudaError_t cudaDeviceSynchronize() {
    Runtime& runtime = Runtime::instance();
    return runtime.enter("cudaDeviceSynchronize");
}
