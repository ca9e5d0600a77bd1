// Device memory that launches use again and again: sums of parts of k, and counters that every
// launch leaves at zero. One stream at a time.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Workspace {
    float* parts;
    int* counters;
};

// Returns at least this many floats and counters. Growing waits for the device.
inline Workspace workspace(size_t floats, size_t counters) {
    static float* parts = nullptr;
    static int* counts = nullptr;
    static size_t partsThere = 0, countsThere = 0;
    bool good = true;
    if (floats > partsThere) {
        cudaFree(parts);
        good = cudaMalloc(&parts, floats * sizeof(float)) == cudaSuccess;
        partsThere = floats;
    }
    if (counters > countsThere) {
        cudaFree(counts);
        good = good && cudaMalloc(&counts, counters * sizeof(int)) == cudaSuccess &&
               cudaMemset(counts, 0, counters * sizeof(int)) == cudaSuccess;
        countsThere = counters;
    }
    if (!good) {
        std::fprintf(stderr, "The device has no memory for %zu floats of parts.\n", floats);
        std::exit(2);
    }
    return {parts, counts};
}

inline int multiprocessors() {
    int device, sms;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    return sms;
}
