// What tests of streams and of the host's waits are written with.
#pragma once

#include <string>

#include "on_device.h"
#include "tolerant.h"

constexpr int kCount = 3000;  // pages are whole, and the last one is not

inline int* managed() {
    int* y = nullptr;
    cudaMallocManaged(&y, kCount * sizeof *y);
    return y;
}

// Ends what a test has begun, and returns what is reported.
inline std::string all() {
    cudaGetLastError();
    cudaDeviceSynchronize();
    return told();
}

struct Streams {
    explicit Streams(unsigned flags = cudaStreamDefault) {
        cudaStreamCreateWithFlags(&a, flags);
        cudaStreamCreateWithFlags(&b, flags);
        cudaEventCreate(&event);
    }
    cudaStream_t a, b;
    cudaEvent_t event;
};
