// Lab 4: memory as a limit to parallelism. A multiprocessor (SM) has so many registers and
// so much shared memory; what a block takes of them decides how many blocks it holds at once. The
// device's figures are those of cudaGetDeviceProperties. A device gives registers and shared memory
// out in portions, some a little larger than what is asked for; here that is left out.
// The handout is limits/README.md.
#include <cuda_runtime.h>

#include <climits>

// How many blocks an SM holds if it only had to have room for their threads. No block is larger
// than device.maxThreadsPerBlock: of a larger one, the SM holds none.
int blocksByThreads(const cudaDeviceProp& device, int threadsPerBlock) {
    if (threadsPerBlock > device.maxThreadsPerBlock) return 0;
    return device.maxThreadsPerMultiProcessor / threadsPerBlock;
}

// The same for registers. A kernel that takes none is not limited by them: then the answer is
// INT_MAX.
int blocksByRegisters(const cudaDeviceProp& device, int threadsPerBlock, int registersPerThread) {
    if (registersPerThread == 0) return INT_MAX;
    return device.regsPerMultiprocessor / (threadsPerBlock * registersPerThread);
}

// Returns the same for shared memory. Newer devices reserve device.reservedSharedMemPerBlock bytes
// more in each block; on older devices this is 0. If both together are 0, the answer is INT_MAX.
int blocksBySharedMemory(const cudaDeviceProp& device, size_t bytesPerBlock) {
    size_t taken = bytesPerBlock + device.reservedSharedMemPerBlock;
    if (taken == 0) return INT_MAX;
    return device.sharedMemPerMultiprocessor / taken;
}

// How many blocks an SM holds at once.
int blocksPerMultiprocessor(const cudaDeviceProp& device, int threadsPerBlock,
                            int registersPerThread, size_t bytesPerBlock) {
    int blocks = device.maxBlocksPerMultiProcessor;
    blocks = min(blocks, blocksByThreads(device, threadsPerBlock));
    blocks = min(blocks, blocksByRegisters(device, threadsPerBlock, registersPerThread));
    blocks = min(blocks, blocksBySharedMemory(device, bytesPerBlock));
    return blocks;
}

// What keeps one more block out: "blocks", "threads", "registers" or "shared memory"; where there
// are several, any of them.
const char* limitedBy(const cudaDeviceProp& device, int threadsPerBlock, int registersPerThread,
                      size_t bytesPerBlock) {
    int blocks =
        blocksPerMultiprocessor(device, threadsPerBlock, registersPerThread, bytesPerBlock);
    if (blocks == blocksByThreads(device, threadsPerBlock)) return "threads";
    if (blocks == blocksByRegisters(device, threadsPerBlock, registersPerThread)) {
        return "registers";
    }
    if (blocks == blocksBySharedMemory(device, bytesPerBlock)) return "shared memory";
    return "blocks";
}

// --- Kernels for comparing with cudaOccupancyMaxActiveBlocksPerMultiprocessor, complete. ---

__global__ void plainKernel(float* P) { P[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f; }

// Two tiles of 32 x 32 floats, 8 KB.
__global__ void tilesKernel(float* P) {
    __shared__ float Mds[32 * 32];
    __shared__ float Nds[32 * 32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Mds[threadIdx.x] = P[i];
    Nds[threadIdx.x] = P[i] + 1.0f;
    __syncthreads();
    P[i] = Mds[blockDim.x - 1 - threadIdx.x] * Nds[blockDim.x - 1 - threadIdx.x];
}

// Sums that do not end before the last product, so that each takes a register.
__global__ void registersKernel(float* P) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sums[64];
    for (int n = 0; n < 64; ++n) sums[n] = P[i + n];
    for (int k = 0; k < 100; ++k) {
        float value = P[i + k];
        for (int n = 0; n < 64; ++n) sums[n] = sums[n] * value + 1.0f;
    }
    for (int n = 0; n < 64; ++n) P[i + n] = sums[n];
}
