// CUDA's keywords as plain C++. The translator (../../translate) has already rewritten what needs
// more than a macro: launches, `extern __shared__` arrays and __device__ variables.
#pragma once

#ifdef CUSIM_KEYWORDS_LATER
// A preprocessor leaves them to the translator and to a second one; a file may ask for a macro.
#define __global__ __global__
#define __host__ __host__
#define __device__ __device__
#define __constant__ __constant__
#define __managed__ __managed__
#define __shared__ __shared__
#define __launch_bounds__(...) __launch_bounds__(__VA_ARGS__)
#define __align__(n) __align__(n)
#else
// Marks kernels in a table of the program, which a launch consults (../../api/launch_limits.cpp).
#define __global__ __attribute__((patchable_function_entry(1, 1)))
#define __host__
#define __device__
#define __constant__
#define __managed__
// A block runs on one host thread, so a thread-local array belongs to the block. Each is aligned to
// 16 bytes, since floats may be read as float4 and no neighbour shall change that.
#define __shared__ static thread_local __attribute__((aligned(16)))
// Marks a thread_local of the file's own, which belongs to the host. The translator adds it; the
// tag becomes part of the symbol's name (../../memory/shared_memory.cpp).
#define CUSIM_OF_HOST __attribute__((abi_tag("cusimHost")))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#endif
#define __grid_constant__
#define __maxnreg__(...)
#ifndef __clang__
#define __builtin_assume(condition) static_cast<void>(0)
#endif
#define __restrict__ __restrict
#define __forceinline__ inline

#define __CUDA_ARCH_LIST__ 700
#define CUDART_VERSION 13000
#define CUDA_SIMULATED_DEVICE 1
