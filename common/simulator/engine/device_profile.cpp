#include "simulator/engine/device_profile.h"

#include <cstring>
#include <stdexcept>

#include "simulator/simulator.h"

namespace cusim {
namespace {

struct Profile {
    const char* name;   // as in PROFILE=name
    const char* title;  // as in cudaDeviceProp
    int major, minor, multiprocessors;
    int threadsPerBlock, threads, blocks, registers;  // all but the first of a multiprocessor
    int sharedPerBlock, sharedOptIn, shared, sharedReserved;  // KiB; `shared` of a multiprocessor
    int memoryBusWidth, l2Cache;                              // bits, KiB
    int clock, memoryClock;                                   // MHz
    int singlePerDouble;                                      // speed of float over that of double
};

// CUDA C++ Programming Guide, "Technical specifications per compute capability"; for compute
// capability 1.x the editions up to CUDA 6.5. The card in brackets gives the values that the
// capability does not define: number of multiprocessors, bus, cache, clocks. Device D is from Kirk
// and Hwu, who give no number of multiprocessors; it has that of the first card with 1,536 threads
// per multiprocessor.
constexpr Profile kProfiles[] = {
    {"default", "Simulated device", 7, 0, 80, 1024, 2048, 32, 65536, 48, 96, 96, 0, 4096, 6144,
     1530, 877, 2},
    {"8800gtx", "GeForce 8800 GTX (simulated)", 1, 0, 16, 512, 768, 8, 8192, 16, 16, 16, 0, 384, 0,
     1350, 900, 0},
    // [GeForce GT 240]
    {"cc12", "Compute capability 1.2 (simulated)", 1, 2, 12, 512, 1024, 8, 16384, 16, 16, 16, 0,
     128, 0, 1340, 1700, 0},
    // [GeForce GTX 480]
    {"device-d", "Device D (simulated)", 2, 0, 15, 1024, 1536, 8, 16384, 48, 48, 48, 0, 384, 768,
     1401, 1848, 8},
    // [GeForce GTX 750 Ti]
    {"maxwell", "Maxwell, 5.0 (simulated)", 5, 0, 5, 1024, 2048, 32, 65536, 48, 48, 64, 0, 128,
     2048, 1085, 2700, 32},
    // [Tesla T4]
    {"turing", "Turing, 7.5 (simulated)", 7, 5, 40, 1024, 1024, 16, 65536, 48, 64, 64, 0, 256, 4096,
     1590, 5001, 32},
    {"v100", "Tesla V100 (simulated)", 7, 0, 80, 1024, 2048, 32, 65536, 48, 96, 96, 0, 4096, 6144,
     1530, 877, 2},
    {"h200", "H200 (simulated)", 9, 0, 132, 1024, 2048, 32, 65536, 48, 227, 228, 1, 6016, 61440,
     1980, 3201, 2},
};

cudaDeviceProp properties(const Profile& profile) {
    cudaDeviceProp p{};
    std::strcpy(p.name, profile.title);
    // The memory is the simulated device's own, for every profile.
    p.totalGlobalMem = std::size_t{4} << 30;
    const auto bytes = [](int kib) { return static_cast<std::size_t>(kib) * 1024; };
    p.sharedMemPerBlock = bytes(profile.sharedPerBlock);
    p.sharedMemPerBlockOptin = bytes(profile.sharedOptIn);
    p.sharedMemPerMultiprocessor = bytes(profile.shared);
    p.reservedSharedMemPerBlock = bytes(profile.sharedReserved);
    p.regsPerBlock = p.regsPerMultiprocessor = profile.registers;
    p.warpSize = 32;
    p.memPitch = 2147483647;
    p.maxThreadsPerBlock = profile.threadsPerBlock;
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = profile.threadsPerBlock;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = profile.major < 3 ? 65535 : 2147483647;
    p.maxGridSize[1] = 65535;
    p.maxGridSize[2] = profile.major < 2 ? 1 : 65535;
    p.maxThreadsPerMultiProcessor = profile.threads;
    p.maxBlocksPerMultiProcessor = profile.blocks;
    p.totalConstMem = 65536;
    p.major = profile.major;
    p.minor = profile.minor;
    p.multiProcessorCount = profile.multiprocessors;
    p.memoryBusWidth = profile.memoryBusWidth;
    p.l2CacheSize = profile.l2Cache * 1024;
    p.clockRate = profile.clock * 1000;
    p.memoryClockRate = profile.memoryClock * 1000;
    p.singleToDoublePrecisionPerfRatio = profile.singlePerDouble;
    p.texturePitchAlignment = 32;
    p.textureAlignment = p.surfaceAlignment = 512;
    // The simulated device has these abilities in every profile.
    p.deviceOverlap = p.streamPrioritiesSupported = p.memoryPoolsSupported = 1;
    p.globalL1CacheSupported = p.localL1CacheSupported = p.hostRegisterSupported = 1;
    p.computePreemptionSupported = p.concurrentManagedAccess = 1;
    p.cooperativeLaunch = profile.major >= 6;
    p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.managedMemory = 1;
    p.asyncEngineCount = 2;
    return p;
}

const Profile* find(const std::string& name) {
    for (const Profile& profile : kProfiles)
        if (name == profile.name) return &profile;
    return nullptr;
}

}  // namespace

const cudaDeviceProp& deviceProfile(const std::string& name) {
    static const std::vector<cudaDeviceProp> all = [] {
        std::vector<cudaDeviceProp> made;
        for (const Profile& profile : kProfiles) made.push_back(properties(profile));
        return made;
    }();
    const Profile* const chosen = find(name);
    if (!chosen) throw std::invalid_argument("no device profile " + name);
    return all[static_cast<std::size_t>(chosen - kProfiles)];
}

const cudaDeviceProp& deviceProfile() { return deviceProfile(options().profile); }

// Counts the blocks that fit a multiprocessor at once, and finds the limit that keeps more out
// (CUDA C++ Best Practices Guide, "Calculating Occupancy"). Registers are unknown and ignored.
Occupancy occupancyOn(const cudaDeviceProp& device, int threadsPerBlock, std::size_t sharedBytes) {
    if (threadsPerBlock > device.maxThreadsPerBlock) return {0, "threads"};
    // A multiprocessor gives threads to a block in whole warps.
    const int threads = (threadsPerBlock + device.warpSize - 1) / device.warpSize * device.warpSize;
    Occupancy result{device.maxBlocksPerMultiProcessor, "blocks"};
    const auto limit = [&](std::size_t blocks, const char* by) {
        if (blocks < static_cast<std::size_t>(result.blocks))
            result = {static_cast<int>(blocks), by};
    };
    limit(static_cast<std::size_t>(device.maxThreadsPerMultiProcessor / threads), "threads");
    const std::size_t taken = sharedBytes + device.reservedSharedMemPerBlock;
    if (taken > 0) limit(device.sharedMemPerMultiprocessor / taken, "shared memory");
    result.threads = result.blocks * threads;
    result.mostThreads = device.maxThreadsPerMultiProcessor;
    return result;
}

bool isProfile(const std::string& name) { return find(name) != nullptr; }

std::vector<std::string> profileNames() {
    std::vector<std::string> names;
    for (const Profile& profile : kProfiles) names.emplace_back(profile.name);
    return names;
}

bool useProfile(const std::string& name) {
    if (!isProfile(name)) return false;
    options().profile = name;
    return true;
}

}  // namespace cusim
