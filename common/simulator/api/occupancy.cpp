// Counts the blocks of a launch that fit a multiprocessor at once, and finds the limit that keeps
// more out.
#include <algorithm>

#include "simulator/engine/device_profile.h"
#include "simulator/simulator.h"

namespace cusim {

// CUDA C++ Best Practices Guide, "Calculating Occupancy". Registers are unknown and ignored.
Occupancy occupancy(int threadsPerBlock, std::size_t sharedBytes) {
    const cudaDeviceProp& device = deviceProfile();
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

Occupancy occupancy(const LaunchReport& launch) {
    return occupancy(static_cast<int>(launch.block.x * launch.block.y * launch.block.z),
                     launch.staticSharedBytes + launch.dynamicSharedBytes);
}

}  // namespace cusim
