// Device memory that launches use again and again: sums of parts of k, counters that every launch
// leaves at zero, and a copy of a matrix. One stream at a time.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// Device memory that only grows; on request the new part is zero. Growing waits for
// the device.
template <class Element>
class Growing {
  public:
    explicit Growing(bool zeros = false) : zeros_(zeros) {}
    // Returns at least so many elements.
    Element* atLeast(size_t count) {
        if (count <= there_) return elements_;
        cudaFree(elements_);
        size_t bytes = count * sizeof(Element);
        if (cudaMalloc(&elements_, bytes) != cudaSuccess ||
            (zeros_ && cudaMemset(elements_, 0, bytes) != cudaSuccess)) {
            std::fprintf(stderr, "The device has no memory for %zu bytes more.\n", bytes);
            std::exit(2);
        }
        there_ = count;
        return elements_;
    }

  private:
    Element* elements_ = nullptr;
    size_t there_ = 0;
    bool zeros_;
};

struct Workspace {
    float* parts;
    int* counters;
};

// Returns at least this many floats and counters.
inline Workspace workspace(size_t floats, size_t counters) {
    static Growing<float> parts;
    static Growing<int> counts(true);
    return {parts.atLeast(floats), counts.atLeast(counters)};
}

// Returns at least this many floats for a copy of a matrix.
inline float* alignedCopy(size_t floats) {
    static Growing<float> copy;
    return copy.atLeast(floats);
}

inline int multiprocessors() {
    int device, sms;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    return sms;
}
