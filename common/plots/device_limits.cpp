// Prints the limits of a device profile as a JSON object, with the number of blocks that the
// simulated device fits for some launches, against which the figure's formula is tested.
// usage: device_limits PROFILE
#include <array>
#include <cstdio>
#include <vector>

#include "simulator/include/cuda_runtime.h"
#include "simulator/simulator.h"
#include "text/json.h"

int main(int argc, char** argv) {
    if (argc != 2 || !cusim::useProfile(argv[1])) {
        std::fprintf(stderr, "device_limits: name one profile, such as default or h200\n");
        return 2;
    }
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) return 2;
    std::vector<std::array<std::size_t, 3>> fits;
    for (int threads = 32; threads <= p.maxThreadsPerBlock; threads += 80)
        for (std::size_t shared = 0; shared <= p.sharedMemPerBlockOptin; shared += 1500)
            fits.push_back({static_cast<std::size_t>(threads), shared,
                            static_cast<std::size_t>(cusim::occupancy(threads, shared).blocks)});
    json::Object limits;
    limits.add("name", argv[1]).add("title", p.name);
    limits.add("threads_per_block", p.maxThreadsPerBlock);
    limits.add("threads", p.maxThreadsPerMultiProcessor);
    limits.add("blocks", p.maxBlocksPerMultiProcessor);
    limits.add("registers", p.regsPerMultiprocessor);
    limits.add("shared_per_block", p.sharedMemPerBlockOptin);
    limits.add("shared", p.sharedMemPerMultiprocessor);
    limits.add("shared_reserved", p.reservedSharedMemPerBlock).add("fits", fits);
    std::printf("%s\n", limits.text().c_str());
    return 0;
}
