// Lab 4: memory as a limit to parallelism. A multiprocessor (SM) has a limited number of registers
// and of bytes of shared memory. The more of them a block needs, the fewer blocks an SM holds at
// once. The numbers of a device come from cudaGetDeviceProperties. A device allocates registers and
// shared memory in units, so a block can get a little more than it asks for. Ignore this here.
// The handout is limits/README.md.
#include <cuda_runtime.h>

#include <climits>

// Returns how many blocks an SM holds if only its threads are a limit. A block can have at most
// device.maxThreadsPerBlock threads. For a larger block, the answer is 0.
int blocksByThreads(const cudaDeviceProp& device, int threadsPerBlock) {
    // TODO(1): an SM has device.maxThreadsPerMultiProcessor threads.
    return -1;
}

// Returns how many blocks an SM holds if only its registers are a limit. If a block needs none, the
// answer is INT_MAX.
int blocksByRegisters(const cudaDeviceProp& device, int threadsPerBlock, int registersPerThread) {
    // TODO(2): an SM has device.regsPerMultiprocessor registers. It holds only whole blocks.
    return -1;
}

// Returns how many blocks an SM holds if only its shared memory is a limit. Newer devices reserve
// device.reservedSharedMemPerBlock bytes more in each block. On older devices this is 0. If both
// together are 0, the answer is INT_MAX.
int blocksBySharedMemory(const cudaDeviceProp& device, size_t bytesPerBlock) {
    // TODO(3): an SM has device.sharedMemPerMultiprocessor bytes.
    return -1;
}

// Returns how many blocks an SM holds at once.
int blocksPerMultiprocessor(const cudaDeviceProp& device, int threadsPerBlock,
                            int registersPerThread, size_t bytesPerBlock) {
    // TODO(4): return the least of four limits. The fourth is device.maxBlocksPerMultiProcessor.
    return -1;
}

// Returns which limit prevents one more block: "blocks", "threads", "registers" or "shared memory".
// If several limits do, any of them is right.
const char* limitedBy(const cudaDeviceProp& device, int threadsPerBlock, int registersPerThread,
                      size_t bytesPerBlock) {
    // TODO(5): find the limit that equals blocksPerMultiprocessor().
    return "nothing";
}

// --- Kernels to compare with cudaOccupancyMaxActiveBlocksPerMultiprocessor, complete. ---

__global__ void plainKernel(float* P) { P[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f; }

// Needs two tiles of 32 x 32 floats, which are 8 KB.
__global__ void tilesKernel(float* P) {
    __shared__ float Mds[32 * 32];
    __shared__ float Nds[32 * 32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Mds[threadIdx.x] = P[i];
    Nds[threadIdx.x] = P[i] + 1.0f;
    __syncthreads();
    P[i] = Mds[blockDim.x - 1 - threadIdx.x] * Nds[blockDim.x - 1 - threadIdx.x];
}

// Needs all its sums until the last product, so that each sum takes a register.
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
