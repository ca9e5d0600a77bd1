// Host code. Each function does one thing wrong, or right by a hair.
#pragma once

#include <string>
#include <vector>

#include "simulator/include/cusim/vector_types.h"

namespace host_faults {

// Runs the function whose statement at fault carries this name in a comment.
void run(const std::string& fault);

// Returns the four floats that the faults above copy from and to.
const float* hostMemory();
void launchWithDynamicShared(int bytes);
void launchAfterOptIn(int bytes);
void launchShape(dim3 grid, dim3 block);
bool threadLocalsLastThroughALaunch();
void copyThere();  // cudaMalloc, cudaMemcpy, launch, cudaGetLastError, cudaFree: all right
int statusOfAttribute(int bytes);
// Returns the bytes of kernels with 4096 floats; 16 x 16 + 2; 32 x 32 + 2; 8.
std::vector<int> staticSharedBytes();
int blocksBy(int blockSize, int dynamicBytes);  // for a kernel without shared memory
int blocksWithStaticShared(int blockSize);      // for one with 16 KiB

}  // namespace host_faults
