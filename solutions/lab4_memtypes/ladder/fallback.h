// Prints once, to stderr, if a device lacks what a rung needs; else nothing.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <string>

// For a device: its compute capability, and how many bytes of shared memory a block may have.
struct Abilities {
    int major, minor, sharedBytes;
};

inline Abilities abilities() {
    int device;
    Abilities found;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&found.major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&found.minor, cudaDevAttrComputeCapabilityMinor, device);
    cudaDeviceGetAttribute(&found.sharedBytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return found;
}

// Returns the sentence, "" if the device lacks nothing. bytes: of shared memory, for the rung's
// largest tiles; instead: what runs if they do not fit.
inline std::string fallback(const char* rung, Abilities device, int bytes, const char* instead) {
    std::string why;
    if (device.sharedBytes < bytes)
        why = "tiles take " + std::to_string(bytes) + " bytes, a block has " +
              std::to_string(device.sharedBytes) + " here; " + instead;
    else if (device.major < 8)
        why = "no asynchronous copies before compute capability 8.0; a card runs plain ones";
    return why.empty() ? why : std::string(rung) + ": " + why + "\n";
}

// Prints it. Returns true, so that a static variable may do so once.
inline bool tellFallback(const char* rung, int bytes, const char* instead) {
    std::fputs(fallback(rung, abilities(), bytes, instead).c_str(), stderr);
    return true;
}
