// Shows CUDA to clangd if a .cu file is open in an editor; see editor.py. clang knows <<<>>> and
// which side may call what; the rest is the simulated device's header, as in a build.
#pragma once
#ifdef __CUDA__

// Functions between these pragmas may be called by both sides. The C headers come first, because
// libstdc++'s own would declare functions that clash with theirs.
#pragma clang force_cuda_host_device begin
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#pragma clang force_cuda_host_device end

// clang's wrappers of these headers use the two keywords.
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#include <algorithm>
#include <cmath>
#include <new>
#include <optional>
#include <tuple>
#undef __host__
#undef __device__

// New versions of clang define it, too.
#undef __CUDA_ARCH_LIST__
// Other names for the host's built-in variables; the device's are declared below.
#define threadIdx cusimThreadIdx
#define blockIdx cusimBlockIdx
#define blockDim cusimBlockDim
#define gridDim cusimGridDim
#pragma clang force_cuda_host_device begin
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>
#pragma clang force_cuda_host_device end
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim

#undef __global__
#undef __host__
#undef __device__
#undef __constant__
#undef __managed__
#undef __shared__
#undef __launch_bounds__
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;

// clang turns a launch into a call of one of these; which one depends on the toolkit's version.
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t = 0, cudaStream_t = nullptr);
extern "C" int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t = 0,
                                           cudaStream_t = nullptr);

#endif
