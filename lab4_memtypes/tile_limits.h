// Computes what a device allows from its properties.
#pragma once

#include <algorithm>
#include <string>

#include "lab4_memtypes/lab4.h"
#include "testing/device.h"
#include "testing/lab.h"

// Elements of P that a thread of kernel.cu computes.
constexpr int kRows = 16;

inline std::size_t bytesOfTiles(int tileWidth) {
    return 2 * static_cast<std::size_t>(tileWidth) * static_cast<std::size_t>(tileWidth) *
           sizeof(float);
}

inline int threadsOf(int tileWidth) { return tileWidth * (tileWidth / kRows); }

inline bool fits(int tileWidth, const cudaDeviceProp& device) {
    return threadsOf(tileWidth) <= device.maxThreadsPerBlock &&
           bytesOfTiles(tileWidth) <=
               std::max(device.sharedMemPerBlock, device.sharedMemPerBlockOptin);
}

inline int largestTileWidth(const cudaDeviceProp& device) {
    int largest = kRows;
    for (int tileWidth = kRows; fits(tileWidth, device); tileWidth += kRows) largest = tileWidth;
    return largest;
}

// Returns the device that the tests run on; make's PROFILE= may have chosen a small one.
inline cudaDeviceProp deviceAtHand() {
    // A device reports nothing after a kernel that failed.
    device::reset();
    cudaDeviceProp device{};
    cudaGetDeviceProperties(&device, 0);
    return device;
}

// Returns a tile's needs: "64: 256 threads, 32,768 bytes"
inline std::string demand(int tileWidth) {
    return std::to_string(tileWidth) + ": " + lab::count(threadsOf(tileWidth), "thread") + ", " +
           lab::count(bytesOfTiles(tileWidth), "byte");
}
