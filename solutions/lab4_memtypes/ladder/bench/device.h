// Calls of CUDA and cuBLAS that end the benchmark with a sentence and status 2 if they fail, and
// arrays in device memory.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

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

namespace bench {

struct CudaFree {
    void operator()(void* memory) const { cudaFree(memory); }
};
template <class T>
using DeviceArray = std::unique_ptr<T[], CudaFree>;

template <class T>
DeviceArray<T> deviceArray(std::size_t count) {
    T* memory = nullptr;
    CUDA_CHECK(cudaMalloc(&memory, count * sizeof(T)));
    return DeviceArray<T>(memory);
}

}  // namespace bench
