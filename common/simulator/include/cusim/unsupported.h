// CUDA names that the simulated device lacks. Without these declarations g++ says "was not declared
// in this scope", which sounds like a misspelling.
#pragma once

#include "errors.h"

// g++ reports a call of an `error` function once, of an `unavailable` one twice. Old versions of
// clang know only `unavailable`. g++ before 12 cannot mark a type; there the call that uses it is
// reported.
#ifdef __clang__
#define CUSIM_REJECT_CALL(sentence) __attribute__((unavailable(sentence)))
#define CUSIM_REJECT_TYPE(sentence) __attribute__((unavailable(sentence)))
#else
#define CUSIM_REJECT_CALL(sentence) __attribute__((error(sentence)))
#if __GNUC__ >= 12
#define CUSIM_REJECT_TYPE(sentence) __attribute__((unavailable(sentence)))
#else
#define CUSIM_REJECT_TYPE(sentence)
#endif
#endif
#define CUSIM_SENTENCE(name, remedy) \
    name " is not supported by the simulated device: " remedy ", or run on a card with DEVICE=gpu"

namespace cusim {
CUSIM_REJECT_CALL(CUSIM_SENTENCE("inline PTX (asm)", "write it in C++"))
void inlineAssembly();
}  // namespace cusim

// The result must fit the student's expression, since g++ reports the call only if all else is
// right. `Explicit` takes the argument of tex2D<float>(...); a reference suits any argument.
#define CUSIM_UNSUPPORTED(result, name, remedy)           \
    template <class Explicit = float, class... Arguments> \
    CUSIM_REJECT_CALL(CUSIM_SENTENCE(#name, remedy))      \
    result name(const Arguments&...);
#define CUSIM_UNSUPPORTED_STRUCT(name, remedy) \
    struct CUSIM_REJECT_TYPE(CUSIM_SENTENCE(#name, remedy)) name {};
#define CUSIM_UNSUPPORTED_HANDLE(name, remedy) \
    using name CUSIM_REJECT_TYPE(CUSIM_SENTENCE(#name, remedy)) = unsigned long long;

#define CUSIM_REMEDY "read the array through a pointer"
CUSIM_UNSUPPORTED_HANDLE(cudaTextureObject_t, CUSIM_REMEDY)
CUSIM_UNSUPPORTED_HANDLE(cudaSurfaceObject_t, CUSIM_REMEDY)
CUSIM_UNSUPPORTED_STRUCT(cudaTextureDesc, CUSIM_REMEDY)
CUSIM_UNSUPPORTED_STRUCT(cudaResourceDesc, CUSIM_REMEDY)
CUSIM_UNSUPPORTED_STRUCT(cudaChannelFormatDesc, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(Explicit, tex1D, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(Explicit, tex1Dfetch, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(Explicit, tex2D, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(Explicit, tex3D, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(Explicit, surf2Dread, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(void, surf2Dwrite, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaBindTexture, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaCreateChannelDesc, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaCreateTextureObject, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaDestroyTextureObject, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaCreateSurfaceObject, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaDestroySurfaceObject, CUSIM_REMEDY)
#undef CUSIM_REMEDY

#define CUSIM_REMEDY "allocate with cudaMalloc and compute the index"
CUSIM_UNSUPPORTED_HANDLE(cudaArray_t, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaMalloc3DArray, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaMallocArray, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaFreeArray, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaMemcpyToArray, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaMemcpy2DToArray, CUSIM_REMEDY)
#undef CUSIM_REMEDY

#define CUSIM_REMEDY "launch the kernels one after the other"
CUSIM_UNSUPPORTED_HANDLE(cudaGraph_t, CUSIM_REMEDY)
CUSIM_UNSUPPORTED_HANDLE(cudaGraphExec_t, CUSIM_REMEDY)
CUSIM_UNSUPPORTED_HANDLE(cudaGraphNode_t, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaGraphCreate, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaGraphDestroy, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaGraphExecDestroy, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaGraphAddKernelNode, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaGraphInstantiate, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaGraphLaunch, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaStreamBeginCapture, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaStreamEndCapture, CUSIM_REMEDY)
// Declared, since an undeclared argument would hide the sentence about the call.
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};
#undef CUSIM_REMEDY

#define CUSIM_REMEDY "pass the data through the host"
CUSIM_UNSUPPORTED_STRUCT(cudaIpcMemHandle_t, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaIpcGetMemHandle, CUSIM_REMEDY)
CUSIM_UNSUPPORTED(cudaError_t, cudaIpcOpenMemHandle, CUSIM_REMEDY)
#undef CUSIM_REMEDY

#undef CUSIM_UNSUPPORTED
#undef CUSIM_UNSUPPORTED_HANDLE
#undef CUSIM_UNSUPPORTED_STRUCT
#undef CUSIM_SENTENCE
#undef CUSIM_REJECT_CALL
#undef CUSIM_REJECT_TYPE
