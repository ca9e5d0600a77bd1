// The driver interface (cuInit, cuLaunchKernel...) is not simulated: its types are refused where a
// program names them. Files that include this header for the runtime's types get those.
#pragma once

#include "cuda_runtime.h"

#if defined(__clang__) || __GNUC__ >= 12
#define CUSIM_DRIVER_TYPE(name)                                                                 \
    using name __attribute__((unavailable(                                                      \
        "CUDA's driver interface is not supported by the simulated device: call the runtime's " \
        "functions (cudaMalloc, kernel<<<...>>>), or run on a card with DEVICE=gpu"))) =        \
        unsigned long long;
CUSIM_DRIVER_TYPE(CUdevice)
CUSIM_DRIVER_TYPE(CUcontext)
CUSIM_DRIVER_TYPE(CUmodule)
CUSIM_DRIVER_TYPE(CUfunction)
CUSIM_DRIVER_TYPE(CUdeviceptr)
CUSIM_DRIVER_TYPE(CUresult)
CUSIM_DRIVER_TYPE(CUstream)
CUSIM_DRIVER_TYPE(CUevent)
CUSIM_DRIVER_TYPE(CUlinkState)
#undef CUSIM_DRIVER_TYPE
#endif
