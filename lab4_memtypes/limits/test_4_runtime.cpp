// The same question to CUDA, on the device at hand: the card, or the simulated one, which knows no
// registers.
#include <iostream>

#include "lab4_memtypes/limits/devices.h"
#include "testing/device.h"

namespace {

using Kernel = void (*)(float*);

// Outside of .cu files the toolkit knows kernels by their bare address.
#ifdef CUDA_SIMULATED_DEVICE
Kernel entry(Kernel kernel) { return kernel; }
#else
const void* entry(Kernel kernel) { return reinterpret_cast<const void*>(kernel); }
#endif

// A card gives registers out to whole warps in portions of 256 (CUDA's occupancy calculator).
int roundedUp(int registersPerThread) { return (registersPerThread + 7) / 8 * 8; }

void expectSame(const char* name, Kernel kernel) {
    cudaDeviceProp p{};
    cudaFuncAttributes attributes{};
    REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
    REQUIRE(cudaFuncGetAttributes(&attributes, entry(kernel)) == cudaSuccess);
    std::cout << "       " << name << ": "
              << lab::count(static_cast<unsigned>(attributes.numRegs), "register") << ", "
              << lab::count(attributes.sharedSizeBytes, "byte") << " of shared memory\n";
    for (const int threads : {128, 256, 512, 1024})
        for (const std::size_t dynamic : {0, 4, 16, 32}) {
            if (threads > attributes.maxThreadsPerBlock) continue;
            const std::size_t bytes = attributes.sharedSizeBytes + dynamic * limits::kKiB;
            if (bytes > p.sharedMemPerBlock) continue;
            int wanted = -1;
            REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                        &wanted, entry(kernel), threads, dynamic * limits::kKiB) == cudaSuccess);
            const int registers = roundedUp(attributes.numRegs);
            const int got = limits::blocksOf("TODO(4)", p, {threads, registers, bytes});
            if (got != wanted)
                lab::fail("wrong-blocks",
                          "TODO(4): " + std::string(name) + " on " + device::name() + "\n" +
                              limits::text({threads, registers, bytes}) + ":\n" +
                              std::to_string(got) + " blocks, and not " + std::to_string(wanted) +
                              ", as\ncudaOccupancyMaxActiveBlocksPerMultiprocessor says.");
        }
}

}  // namespace

TEST_CASE("TODO(4): the device at hand says the same of three kernels") {
    std::cout << "\n";
    expectSame("plainKernel", plainKernel);
    expectSame("tilesKernel", tilesKernel);
    expectSame("registersKernel", registersKernel);
}
