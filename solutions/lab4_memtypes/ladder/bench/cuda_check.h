// Ends the benchmark with a sentence and status 2 where a call of CUDA or cuBLAS fails.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

inline void endUnless(bool good, const char* what, const char* file, int line) {
    if (good) return;
    std::fprintf(stderr, "%s:%d: %s; is another program using the card?\n", file, line, what);
    std::exit(2);
}

#define CUDA_CHECK(call)                                                                  \
    do {                                                                                  \
        const cudaError_t error_ = (call);                                                \
        endUnless(error_ == cudaSuccess, cudaGetErrorString(error_), __FILE__, __LINE__); \
    } while (0)
