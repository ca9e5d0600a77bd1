// Host code of which each function does one thing wrong, or right by a hair.
#pragma once

#include <string>
#include <vector>

namespace host_faults {

// By the name that stands in a comment behind the statement at fault.
void run(const std::string& fault);

// Four floats that the faults above copy from and to.
const float* hostMemory();
void launchWithDynamicShared(int bytes);
void launchAfterOptIn(int bytes);
void launchShape(unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                 unsigned blockZ);
bool threadLocalsLastThroughALaunch();
void copyThere();  // cudaMalloc, cudaMemcpy, launch, cudaGetLastError, cudaFree: all right
int statusOfAttribute(int bytes);
// Of kernels with 4096 floats; 16 x 16 + 2; 32 x 32 + 2; 8.
std::vector<int> staticSharedBytes();
int blocksBy(int blockSize, int dynamicBytes);  // of a kernel without shared memory
int blocksWithStaticShared(int blockSize);      // of one with 16 KiB

}  // namespace host_faults
