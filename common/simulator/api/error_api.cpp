// The errors of the runtime: which came last, and their names and texts.
#include "simulator/engine/runtime.h"

using cusim::Runtime;

cudaError_t cudaGetLastError() {
    const cudaError_t error = cudaPeekAtLastError();
    Runtime::instance().last = cudaSuccess;
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
    CUSIM_ERROR(cudaErrorHostMemoryAlreadyRegistered,
                "part or all of the requested memory range is already mapped"),
    CUSIM_ERROR(cudaErrorHostMemoryNotRegistered,
                "pointer does not correspond to a registered memory region"),
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
