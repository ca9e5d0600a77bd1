#include "simulator/api/launch_limits.h"

#include <cstdint>
#include <string>

#include "simulator/engine/device_profile.h"

namespace cusim {
namespace {

std::string text(const dim3& d) {
    return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

}  // namespace

// CUDA C++ Programming Guide, "Technical specifications per compute capability".
cudaError_t checkLimits(const LaunchConfig& config, std::size_t staticShared, int dynamicLimit,
                        std::string& why) {
    const cudaDeviceProp& device = deviceProfile();
    const dim3 &grid = config.grid, &block = config.block;
    const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
    const auto limit = [&](const std::string& what, std::uint64_t value, std::uint64_t most) {
        why = what + " is " + std::to_string(value) + ", the device's limit is " +
              std::to_string(most);
    };
    if (grid.x == 0 || grid.y == 0 || grid.z == 0)
        why = "the grid " + text(grid) + " has no blocks";
    else if (threads == 0)
        why = "the block " + text(block) + " has no threads";
    else if (threads > static_cast<unsigned>(device.maxThreadsPerBlock))
        limit("threads per block", threads, static_cast<unsigned>(device.maxThreadsPerBlock));
    else if (block.z > static_cast<unsigned>(device.maxThreadsDim[2]))
        limit("blockDim.z", block.z, static_cast<unsigned>(device.maxThreadsDim[2]));
    else if (grid.x > static_cast<unsigned>(device.maxGridSize[0]))
        limit("gridDim.x", grid.x, static_cast<unsigned>(device.maxGridSize[0]));
    else if (grid.y > static_cast<unsigned>(device.maxGridSize[1]))
        limit("gridDim.y", grid.y, static_cast<unsigned>(device.maxGridSize[1]));
    else if (grid.z > static_cast<unsigned>(device.maxGridSize[2]))
        limit("gridDim.z", grid.z, static_cast<unsigned>(device.maxGridSize[2]));
    if (!why.empty()) return cudaErrorInvalidConfiguration;

    const std::size_t most = static_cast<std::size_t>(dynamicLimit);
    if (staticShared + config.dynamicSharedBytes > most) {
        why = "shared memory per block, in bytes, is " +
              std::to_string(staticShared + config.dynamicSharedBytes) + ", allowed so far are " +
              std::to_string(most);
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

std::string remedyOf(cudaError_t error, const LaunchConfig& config, std::size_t staticShared,
                     int asked) {
    if (error == cudaErrorInvalidDeviceFunction)
        return "Write __global__ in front of its declaration; it did not run.";
    const dim3 &grid = config.grid, &block = config.block;
    const auto product = [](const dim3& d) { return std::uint64_t{d.x} * d.y * d.z; };
    const auto most = static_cast<unsigned>(deviceProfile().maxThreadsPerBlock);
    if (product(grid) == 0 || product(block) == 0)
        return "Is it a quotient? One of whole numbers is cut off, 1 / 16 is 0: divide and round "
               "up. The kernel did not run.";
    if (product(block) > most)
        return std::string("Take smaller blocks, and more of them") +
               (product(grid) <= most ? "; or is the order wrong? It is <<<grid, block>>>." : ".") +
               " The kernel did not run.";
    if (error == cudaErrorInvalidConfiguration)
        return "Change the launch configuration; the kernel did not run.";
    const std::size_t room = config.dynamicSharedBytes == 0
                                 ? deviceProfile().sharedMemPerBlock
                                 : deviceProfile().sharedMemPerBlockOptin;
    if (staticShared + config.dynamicSharedBytes > room)
        return "Take less shared memory, such as smaller tiles: a block gets at most " +
               std::to_string(room) + " bytes here. The kernel did not run.";
    return "So much must be asked for before the launch: cudaFuncSetAttribute with "
           "cudaFuncAttributeMaxDynamicSharedMemorySize, in bytes. " +
           (asked < 0 ? "Nothing was asked for so far"
                      : "Asked for so far: " + std::to_string(asked)) +
           "; the kernel did not run.";
}

}  // namespace cusim
