// How many blocks of a kernel a multiprocessor holds (CUDA Runtime API, "Occupancy"). Registers are
// unknown here and limit nothing.
#pragma once

#include "cusim/device_properties.h"

namespace cusim {

cudaError_t blocksPerMultiprocessor(int* blocks, const void* function, int blockSize,
                                    std::size_t dynamicSharedBytes);

}  // namespace cusim

constexpr unsigned cudaOccupancyDefault = 0, cudaOccupancyDisableCachingOverride = 1;

template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel,
                                                          int blockSize,
                                                          std::size_t dynamicSharedBytes) {
    return cusim::blocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), blockSize,
                                          dynamicSharedBytes);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel* kernel,
                                                                   int blockSize,
                                                                   std::size_t dynamicSharedBytes,
                                                                   unsigned) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, blockSize,
                                                         dynamicSharedBytes);
}

// Finds the block size with the most threads on a multiprocessor, the largest of several, among
// whole warps and the limit itself. `bytes(blockSize)` returns a block's dynamic shared memory.
template <class Kernel, class BytesOfBlock>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* leastGrid, int* blockSize,
                                                           Kernel* kernel, BytesOfBlock bytes,
                                                           int limit = 0) {
    cudaDeviceProp device;
    if (const cudaError_t error = cudaGetDeviceProperties(&device, 0)) return error;
    const int most = device.maxThreadsPerBlock, width = device.warpSize;
    int best = 0;
    for (int size = limit > 0 && limit < most ? limit : most; size > 0;
         size = (size - 1) / width * width) {
        int blocks = 0;
        if (const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                &blocks, kernel, size, static_cast<std::size_t>(bytes(size))))
            return error;
        if (blocks * size <= best) continue;
        best = blocks * size;
        *blockSize = size;
        *leastGrid = blocks * device.multiProcessorCount;
    }
    return best > 0 ? cudaSuccess : cudaErrorInvalidValue;
}
template <class Kernel, class BytesOfBlock>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* leastGrid, int* blockSize,
                                                                    Kernel* kernel,
                                                                    BytesOfBlock bytes, int limit,
                                                                    unsigned) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(leastGrid, blockSize, kernel, bytes,
                                                          limit);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* leastGrid, int* blockSize, Kernel* kernel,
                                               std::size_t dynamicSharedBytes = 0, int limit = 0) {
    const auto bytes = [=](int) { return dynamicSharedBytes; };
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(leastGrid, blockSize, kernel, bytes,
                                                          limit);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* leastGrid, int* blockSize,
                                                        Kernel* kernel,
                                                        std::size_t dynamicSharedBytes, int limit,
                                                        unsigned) {
    return cudaOccupancyMaxPotentialBlockSize(leastGrid, blockSize, kernel, dynamicSharedBytes,
                                              limit);
}
