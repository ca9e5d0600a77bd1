// Prints cudaGetDeviceProperties for each device, first the numbers that limit how many blocks fit
// a multiprocessor (SM).
#include <cuda_runtime.h>

#include <cstdio>

namespace {

void line(const char* what, double value, const char* unit) {
    std::printf("  %-42s %12.0f %s\n", what, value, unit);
}

void print(int device, const cudaDeviceProp& p) {
    const double KiB = 1024.0, MiB = 1024.0 * 1024.0;
    std::printf("Device %d: %s, compute capability %d.%d\n", device, p.name, p.major, p.minor);
    line("multiprocessors (SM)", p.multiProcessorCount, "");
    line("most threads, an SM", p.maxThreadsPerMultiProcessor, "");
    line("most threads, a block", p.maxThreadsPerBlock, "");
    line("most blocks, an SM", p.maxBlocksPerMultiProcessor, "");
    line("threads, a warp", p.warpSize, "");
    line("registers, an SM", p.regsPerMultiprocessor, "of 4 bytes");
    line("registers, a block", p.regsPerBlock, "of 4 bytes");
    const auto shared = [&](const char* what, std::size_t bytes) {
        line(what, static_cast<double>(bytes), "bytes");
    };
    shared("shared memory, an SM", p.sharedMemPerMultiprocessor);
    shared("shared memory, a block", p.sharedMemPerBlock);
    shared("shared memory, a block that asks for more", p.sharedMemPerBlockOptin);
    shared("shared memory, reserved in each block", p.reservedSharedMemPerBlock);
    shared("constant memory", p.totalConstMem);
    line("global memory", static_cast<double>(p.totalGlobalMem) / MiB, "MiB");
    line("L2 cache", p.l2CacheSize / KiB, "KiB");
    line("bus of the global memory", p.memoryBusWidth, "bits");
    std::printf("  largest block   %d x %d x %d threads\n", p.maxThreadsDim[0], p.maxThreadsDim[1],
                p.maxThreadsDim[2]);
    std::printf("  largest grid    %d x %d x %d blocks\n", p.maxGridSize[0], p.maxGridSize[1],
                p.maxGridSize[2]);
}

}  // namespace

int main() {
    int devices = 0;
    cudaError_t error = cudaGetDeviceCount(&devices);
    for (int device = 0; error == cudaSuccess && device < devices; ++device) {
        cudaDeviceProp properties;
        error = cudaGetDeviceProperties(&properties, device);
        if (error == cudaSuccess) print(device, properties);
    }
    if (error == cudaSuccess && devices > 0) return 0;
    std::fprintf(stderr,
                 "properties: no device answers: %s. Install a driver that fits the toolkit (make "
                 "doctor), or leave DEVICE out to use the simulated device.\n",
                 cudaGetErrorString(error == cudaSuccess ? cudaErrorNoDevice : error));
    return 2;
}
