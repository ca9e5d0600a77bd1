#include "simulator/include/cusim/stream_api.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "simulator/engine/runtime.h"
#include "simulator/engine/waits.h"

namespace cusim {

struct Stream {
    int number = 0;
    bool nonBlocking = false;
    int priority = 0;
};
struct Event {
    int number = 0;
    bool timing = true;
    bool recorded = false;
    std::chrono::steady_clock::time_point when{};
    Place askedEarly{};  // the line at which the host asked for the time too early
};

namespace {

// Returns the handles that exist, so that a wild or destroyed one is an error instead of a crash.
template <class T>
std::set<T*>& living() {
    static auto* const handles = new std::set<T*>;
    return *handles;
}

template <class T>
cudaError_t create(const char* function, T** handle) {
    const Runtime::Turn turn;
    if (const cudaError_t error = Runtime::instance().enter(function)) return error;
    *handle = new T;
    living<T>().insert(*handle);
    return cudaSuccess;
}

template <class T>
cudaError_t destroy(const char* function, T* handle) {
    const Runtime::Turn turn;
    if (const cudaError_t error = Runtime::instance().enter(function)) return error;
    if (living<T>().erase(handle) == 0)
        return Runtime::instance().keep(cudaErrorInvalidResourceHandle);
    delete handle;
    return cudaSuccess;
}

// Checks the handles. A null stream is the default stream; a null event is no event.
cudaError_t use(const char* function, const Stream* stream, const Event* event, bool needsEvent) {
    const Runtime::Turn turn;
    if (const cudaError_t error = Runtime::instance().enter(function)) return error;
    const bool goodStream = !stream || living<Stream>().count(const_cast<Stream*>(stream));
    const bool goodEvent = !needsEvent || living<Event>().count(const_cast<Event*>(event));
    if (goodStream && goodEvent) return cudaSuccess;
    return Runtime::instance().keep(cudaErrorInvalidResourceHandle);
}

// Keeps the step if its handles are good.
cudaError_t step(const char* function, StreamStep::What what, Stream* stream, Event* event,
                 bool needsEvent) {
    if (const cudaError_t error = use(function, stream, event, needsEvent)) return error;
    Runtime::instance().note({what}, stream, event);
    return cudaSuccess;
}

// Notes a wait of the host if the queried stream or event has ended. Does not keep
// cudaErrorNotReady for cudaGetLastError, because it is an answer.
cudaError_t answer(const char* function, Stream* stream, Event* event, const char* why) {
    FailedCall& failed = Runtime::instance().lastFailed;
    if (!Waits::instance().hasEnded(Runtime::numbered({StreamStep::HostWaits}, stream, event))) {
        if (failed.function.empty()) failed = {function, cudaErrorNotReady, why};
        return cudaErrorNotReady;
    }
    if (failed.error == cudaErrorNotReady) failed = {};
    Runtime::instance().note({StreamStep::HostWaits}, stream, event);
    return cudaSuccess;
}

cudaError_t query(const char* function, Stream* stream, Event* event, bool needsEvent) {
    const Runtime::Turn turn;
    if (const cudaError_t error = use(function, stream, event, needsEvent)) return error;
    return answer(function, stream, event, "it asks whether work has ended, and does not wait");
}

// Reports an event whose time was asked for too early, and not again until its use ended.
void reportAskedEarly(Event* event) {
    if (living<Event>().count(event) == 0 || event->askedEarly.file.empty()) return;
    Runtime::instance().report(
        {"missing-wait", "the host asks for the time between two events before they have happened",
         std::exchange(event->askedEarly, {}),
         "Call cudaEventSynchronize with the second event before this line, and put each call into "
         "CHECK(...): without a wait, cudaEventElapsedTime returns cudaErrorNotReady and no "
         "time."});
}

}  // namespace

StreamStep Runtime::numbered(StreamStep made, cudaStream_t stream, cudaEvent_t event) {
    if (made.stream == 0 && stream && living<Stream>().count(stream)) {
        made.stream = stream->number;
        made.nonBlocking = stream->nonBlocking;
    }
    if (event) made.event = event->number;
    return made;
}

void Runtime::note(StreamStep made, cudaStream_t stream, cudaEvent_t event) {
    const Turn turn;
    streamSteps.push_back(Waits::instance().note(numbered(made, stream, event)));
}

}  // namespace cusim

using cusim::Runtime;
using cusim::StreamStep;

static constexpr int kGreatestPriority = -5;

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    if (const cudaError_t error = cusim::create("cudaStreamCreate", stream)) return error;
    (*stream)->number = ++Runtime::instance().streamsMade;
    (*stream)->nonBlocking = flags & cudaStreamNonBlocking;
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    if (const cudaError_t error = cudaStreamCreateWithFlags(stream, flags)) return error;
    (*stream)->priority = std::clamp(priority, kGreatestPriority, 0);
    return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    if (const auto e = cusim::use("cudaStreamGetPriority", stream, nullptr, false)) return e;
    *priority = stream ? stream->priority : 0;
    return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    if (const auto e = cusim::use("cudaStreamGetFlags", stream, nullptr, false)) return e;
    *flags = stream && stream->nonBlocking ? cudaStreamNonBlocking : cudaStreamDefault;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (const auto e = Runtime::instance().enter("cudaDeviceGetStreamPriorityRange")) return e;
    if (least) *least = 0;
    if (greatest) *greatest = kGreatestPriority;
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return cusim::destroy("cudaStreamDestroy", stream);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return cusim::step("cudaStreamSynchronize", StreamStep::HostWaits, stream, nullptr, false);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return cusim::query("cudaStreamQuery", stream, nullptr, false);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return cusim::step("cudaStreamWaitEvent", StreamStep::StreamWaits, stream, event, true);
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned) {
    if (const auto e = cusim::use("cudaStreamAddCallback", stream, nullptr, false)) return e;
    Runtime::instance().inHostFunction = std::this_thread::get_id();
    cusim::Waits::instance().callInStream(Runtime::numbered({}, stream),
                                          [&] { callback(stream, cudaSuccess, data); });
    Runtime::instance().inHostFunction = {};
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    if (const cudaError_t error = cusim::create("cudaEventCreate", event)) return error;
    (*event)->number = Runtime::instance().eventsMade++;
    (*event)->timing = !(flags & cudaEventDisableTiming);
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    cusim::reportAskedEarly(event);
    return cusim::destroy("cudaEventDestroy", event);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (const auto e = cusim::step("cudaEventRecord", StreamStep::Record, stream, event, true))
        return e;
    cusim::reportAskedEarly(event);
    event->recorded = true;
    event->when = std::chrono::steady_clock::now();
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return cusim::step("cudaEventSynchronize", StreamStep::HostWaits, nullptr, event, true);
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    return cusim::query("cudaEventQuery", nullptr, event, true);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end,
                                 cusim::Where at) {
    static constexpr const char* kName = "cudaEventElapsedTime";
    for (const cudaEvent_t event : {start, end})
        if (const auto e = cusim::use(kName, nullptr, event, true)) return e;
    if (!start->recorded || !end->recorded || !start->timing || !end->timing)
        return Runtime::instance().keep(cudaErrorInvalidResourceHandle);
    end->askedEarly = {at.file, at.line};
    for (const cudaEvent_t event : {start, end})
        if (const auto e = cusim::answer(kName, nullptr, event, "it does not wait for the events"))
            return e;
    end->askedEarly = {};
    *milliseconds = std::chrono::duration<float, std::milli>(end->when - start->when).count();
    return cudaSuccess;
}

// Waits for nothing, because all work is done before each call returns. Returns the error of a
// failed kernel, as a card does.
cudaError_t cudaDeviceSynchronize() {
    Runtime::instance().note({StreamStep::HostWaits, -1}, nullptr);
    return Runtime::instance().enter("cudaDeviceSynchronize");
}
