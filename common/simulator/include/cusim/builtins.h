// The built-in variables and the barriers of device code (CUDA C++ Programming Guide, "C++
// language extensions").
#pragma once

#include "cusim/vector_types.h"
#include "cusim/where.h"

// Constant objects and not macros, so that a struct may have a field named gridDim, reading one is
// no memory access and writing one is an error, as on a device.
extern __thread const uint3 threadIdx;
extern __thread const uint3 blockIdx;
extern __thread const dim3 blockDim;
extern __thread const dim3 gridDim;
constexpr int warpSize = 32;

// Two barriers differ if their calls are at different places.
void __syncthreads(cusim::Where at = cusim::Where::exactly());
int __syncthreads_count(int predicate, cusim::Where at = cusim::Where::exactly());
int __syncthreads_and(int predicate, cusim::Where at = cusim::Where::exactly());
int __syncthreads_or(int predicate, cusim::Where at = cusim::Where::exactly());

// Accesses are performed one after the other here; where a race is suspected, it is looked at what
// a fence orders (../../observers/happens_before.h).
void __threadfence();
void __threadfence_block();
void __threadfence_system();

namespace cusim {
bool inKernel();
}

long long clock64();
inline void __nanosleep(unsigned) {}
[[noreturn]] void __trap();
