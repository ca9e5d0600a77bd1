#include "simulator/core/device_profile.h"

#include <cstring>

namespace cusim {

const cudaDeviceProp& deviceProfile() {
    static const cudaDeviceProp profile = [] {
        cudaDeviceProp p{};
        std::strcpy(p.name, "Simulated device");
        p.totalGlobalMem = std::size_t{4} << 30;
        p.sharedMemPerBlock = std::size_t{48} * 1024;
        p.sharedMemPerBlockOptin = std::size_t{96} * 1024;
        p.sharedMemPerMultiprocessor = std::size_t{96} * 1024;
        p.regsPerBlock = 65536;
        p.regsPerMultiprocessor = 65536;
        p.warpSize = 32;
        p.memPitch = 2147483647;
        p.maxThreadsPerBlock = 1024;
        p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
        p.maxThreadsDim[2] = 64;
        p.maxGridSize[0] = 2147483647;
        p.maxGridSize[1] = p.maxGridSize[2] = 65535;
        p.maxThreadsPerMultiProcessor = 2048;
        p.maxBlocksPerMultiProcessor = 32;
        p.totalConstMem = 65536;
        p.major = 7;
        p.multiProcessorCount = 80;
        p.canMapHostMemory = 1;
        p.concurrentKernels = 1;
        p.asyncEngineCount = 2;
        p.unifiedAddressing = 1;
        p.managedMemory = 1;
        p.memoryBusWidth = 4096;
        p.l2CacheSize = 6 * 1024 * 1024;
        return p;
    }();
    return profile;
}

}  // namespace cusim
