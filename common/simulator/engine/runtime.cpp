#include "simulator/engine/runtime.h"

#include <algorithm>
#include <string>

#include "simulator/engine/faults.h"
#include "simulator/engine/watchdog.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

Runtime& Runtime::instance() {
    static auto* const runtime = new Runtime;  // outlives static destructors
    return *runtime;
}

cudaError_t Runtime::enter(const char* function) {
    calls.emplace_back(function);
    hostProgress().step();
    endAfterCalls(calls.size());
    auto found = toFail.find(function);
    if (found == toFail.end() && !toFail.empty())
        found = toFail.find(
            function + (":" + std::to_string(std::count(calls.begin(), calls.end(), function))));
    if (found != toFail.end()) {
        const cudaError_t error = found->second;
        toFail.erase(found);
        return keep(error);
    }
    return sticky;
}

cudaError_t Runtime::keep(cudaError_t error, const std::string& why) {
    if (error == cudaSuccess) return error;
    last = error;
    lastFailed = {calls.empty() ? "" : calls.back(), error, why};
    return error;
}

void (*Runtime::findingListener)(const Finding& finding) = nullptr;

void Runtime::report(Finding finding) {
    if (findingListener) findingListener(finding);
    findings.push_back(std::move(finding));
}

void Runtime::report(const char* kind, const std::string& title, const Where& at,
                     std::vector<std::string> details, const std::string& remedy) {
    Finding finding(kind, title, at.file, at.line, remedy);
    finding.details = std::move(details);
    report(std::move(finding));
}

const char* name(Space space) {
    static const char* const names[] = {"global", "constant", "shared", "local"};
    return names[static_cast<int>(space)];
}

const ArrayReport* LaunchReport::filledFrom(const void* host) const {
    for (const ArrayReport& array : arrays)
        if (array.copiedFrom == host) return &array;
    return nullptr;
}

const ArrayReport* LaunchReport::copiedInto(const void* host) const {
    for (const ArrayReport& array : arrays)
        if (array.copiedTo == host) return &array;
    return nullptr;
}

const std::vector<LaunchReport>& launches() { return Runtime::instance().launches; }
const std::vector<Finding>& findings() { return Runtime::instance().findings; }
const std::vector<StreamStep>& streamSteps() { return Runtime::instance().streamSteps; }
const std::vector<std::string>& calls() { return Runtime::instance().calls; }

void reset() {
    DeviceMemory::instance().freeAll();
    Runtime::instance() = Runtime{};
}

void failNext(const std::string& function, cudaError error) {
    Runtime::instance().toFail[function] = error;
}

}  // namespace cusim

using cusim::Runtime;

cudaError_t cudaGetLastError() {
    Runtime& runtime = Runtime::instance();
    for (auto& launch : runtime.launches) launch.errorAsked = true;
    const cudaError_t error = runtime.sticky ? runtime.sticky : runtime.last;
    runtime.last = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError() {
    Runtime& runtime = Runtime::instance();
    for (auto& launch : runtime.launches) launch.errorAsked = true;
    return runtime.sticky ? runtime.sticky : runtime.last;
}

namespace {

struct ErrorText {
    cudaError_t error;
    const char* name;
    const char* text;
};
#define CUSIM_ERROR(error, text) \
    { error, #error, text }
constexpr ErrorText kErrors[] = {
    CUSIM_ERROR(cudaSuccess, "no error"),
    CUSIM_ERROR(cudaErrorInvalidValue, "invalid argument"),
    CUSIM_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    CUSIM_ERROR(cudaErrorInitializationError, "initialization error"),
    CUSIM_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    CUSIM_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    CUSIM_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    CUSIM_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    CUSIM_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    CUSIM_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    CUSIM_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    CUSIM_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    CUSIM_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    CUSIM_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    CUSIM_ERROR(cudaErrorNotReady, "device not ready"),
    CUSIM_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    CUSIM_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    CUSIM_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    CUSIM_ERROR(cudaErrorAssert, "device-side assert triggered"),
    CUSIM_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    CUSIM_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    CUSIM_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    CUSIM_ERROR(cudaErrorNotSupported, "operation not supported"),
    CUSIM_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef CUSIM_ERROR

const ErrorText& lookUp(cudaError_t error) {
    for (const ErrorText& entry : kErrors)
        if (entry.error == error) return entry;
    return kErrors[sizeof kErrors / sizeof *kErrors - 1];
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) { return lookUp(error).name; }
const char* cudaGetErrorString(cudaError_t error) { return lookUp(error).text; }
