// Prints the limits of a device profile as a JSON object, with the number of blocks that the
// simulated device fits for some launches, against which the figure's formula is tested.
// usage: device_limits PROFILE
#include <cstdio>

#include "simulator/include/cuda_runtime.h"
#include "simulator/simulator.h"

int main(int argc, char** argv) {
    if (argc != 2 || !cusim::useProfile(argv[1])) {
        std::fprintf(stderr, "device_limits: name one profile, such as default or h200\n");
        return 2;
    }
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) return 2;
    std::printf("{\"name\": \"%s\", \"title\": \"%s\",\n", argv[1], p.name);
    std::printf(" \"threads_per_block\": %d, \"threads\": %d, \"blocks\": %d, \"registers\": %d,\n",
                p.maxThreadsPerBlock, p.maxThreadsPerMultiProcessor, p.maxBlocksPerMultiProcessor,
                p.regsPerMultiprocessor);
    std::printf(" \"shared_per_block\": %zu, \"shared\": %zu, \"shared_reserved\": %zu,\n",
                p.sharedMemPerBlockOptin, p.sharedMemPerMultiprocessor,
                p.reservedSharedMemPerBlock);
    std::printf(" \"fits\": [");
    bool first = true;
    for (int threads = 32; threads <= p.maxThreadsPerBlock; threads += 80)
        for (std::size_t shared = 0; shared <= p.sharedMemPerBlockOptin; shared += 1500) {
            std::printf("%s[%d, %zu, %d]", first ? "" : ", ", threads, shared,
                        cusim::occupancy(threads, shared).blocks);
            first = false;
        }
    std::printf("]}\n");
    return 0;
}
