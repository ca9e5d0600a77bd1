// The built-in variables and the barriers of device code (CUDA C++ Programming Guide, "C++
// language extensions").
#pragma once

#include "cusim/vector_types.h"
#include "cusim/where.h"

// Objects, not macros: a struct may have a field named gridDim. Constant to the kernel, so that
// reading them is no memory access and writing them is an error, as on a device.
extern __thread const uint3 threadIdx;
extern __thread const uint3 blockIdx;
extern __thread const dim3 blockDim;
extern __thread const dim3 gridDim;
constexpr int warpSize = 32;

// The caller's place tells one barrier from another.
void __syncthreads(cusim::Where at = cusim::Where::here());
int __syncthreads_count(int predicate, cusim::Where at = cusim::Where::here());
int __syncthreads_and(int predicate, cusim::Where at = cusim::Where::here());
int __syncthreads_or(int predicate, cusim::Where at = cusim::Where::here());

// Accesses are performed one after the other here, so that a fence has nothing to do. It orders
// memory; it is no barrier, and the race check does not take it for one.
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}

long long clock64();
inline void __nanosleep(unsigned) {}
[[noreturn]] void __trap();
