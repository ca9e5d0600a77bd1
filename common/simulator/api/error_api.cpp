// The errors of the runtime: the last one, names and texts.
#include "simulator/engine/runtime.h"

using cusim::Runtime;

cudaError_t cudaGetLastError() {
    const cudaError_t error = cudaPeekAtLastError();
    Runtime::instance().last = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError() {
    const Runtime::Turn turn;
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
#define CUSIM_ERROR(name, value, text) {name, #name, text},
constexpr ErrorText kErrors[] = {
#include "simulator/include/cusim/error_names.def"
};
#undef CUSIM_ERROR

const ErrorText& lookUp(cudaError_t error) {
    for (const ErrorText& entry : kErrors)
        if (entry.error == error) return entry;
    static constexpr ErrorText kNone = {cudaErrorUnknown, "unrecognized error code",
                                        "unrecognized error code"};
    return kNone;
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) { return lookUp(error).name; }
const char* cudaGetErrorString(cudaError_t error) { return lookUp(error).text; }
