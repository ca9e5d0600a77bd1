// What limits.cu defines.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

int blocksByThreads(const cudaDeviceProp& device, int threadsPerBlock);
int blocksByRegisters(const cudaDeviceProp& device, int threadsPerBlock, int registersPerThread);
int blocksBySharedMemory(const cudaDeviceProp& device, std::size_t bytesPerBlock);
int blocksPerMultiprocessor(const cudaDeviceProp& device, int threadsPerBlock,
                            int registersPerThread, std::size_t bytesPerBlock);
const char* limitedBy(const cudaDeviceProp& device, int threadsPerBlock, int registersPerThread,
                      std::size_t bytesPerBlock);

// Kernels of little, of 8 KB of shared memory, and of many registers.
void plainKernel(float* P);
void tilesKernel(float* P);
void registersKernel(float* P);
