// Declares the functions of limits.cu.
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

// Kernels with few resources, with 8 KB of shared memory, and with many registers.
void plainKernel(float* P);
void tilesKernel(float* P);
void registersKernel(float* P);
