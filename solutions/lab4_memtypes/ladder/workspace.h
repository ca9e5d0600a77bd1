// Device memory that launches use again and again: sums of parts of k, counters that every launch
// leaves at zero, and a copy of a matrix. One stream at a time.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// Device memory that only grows. Growing waits for the device.
template <class Element>
class Growing {
  public:
    // Returns at least so many elements; grown tells whether they are others than before, and
    // unset.
    Element* atLeast(size_t count, bool& grown) {
        grown = count > there_;
        if (!grown) return elements_;
        cudaFree(elements_);
        size_t bytes = count * sizeof(Element);
        if (cudaMalloc(&elements_, bytes) != cudaSuccess) {
            std::fprintf(stderr, "The device has no memory for %zu bytes more.\n", bytes);
            std::exit(2);
        }
        there_ = count;
        return elements_;
    }

  private:
    Element* elements_ = nullptr;
    size_t there_ = 0;
};

struct Workspace {
    float* parts;
    int* counters;
};

// Returns at least this many floats and counters.
inline Workspace workspace(size_t floats, size_t counters) {
    static Growing<float> parts;
    static Growing<int> counts;
    bool grown;
    Workspace there = {parts.atLeast(floats, grown), counts.atLeast(counters, grown)};
    if (grown) cudaMemset(there.counters, 0, counters * sizeof(int));
    return there;
}

// Returns at least this many floats for a copy of a matrix.
inline float* alignedCopy(size_t floats) {
    static Growing<float> copy;
    bool grown;
    return copy.atLeast(floats, grown);
}

inline int multiprocessors() {
    int device, sms;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    return sms;
}
