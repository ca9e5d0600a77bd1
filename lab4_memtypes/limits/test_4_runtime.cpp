// Compares the answers with CUDA's own on the device at hand, a card or the simulated device, which
// has no registers.
#include <iostream>

#include "lab4_memtypes/limits/devices.h"
#include "testing/device.h"

namespace {

using Entry = void(float*);

// Outside of .cu files the toolkit takes only the bare address of a kernel.
#ifdef CUDA_SIMULATED_DEVICE
Entry* address(Entry* kernel) { return kernel; }
#else
const void* address(Entry* kernel) { return reinterpret_cast<const void*>(kernel); }
#endif

// A card allocates registers to whole warps in units of 256 (source: CUDA's occupancy calculator).
int roundedUp(int registersPerThread) { return (registersPerThread + 7) / 8 * 8; }

// What the device reports about a kernel.
struct Kernel {
    const char* name;
    Entry* kernel;
    int registers = 0, mostThreads = 0;
    std::size_t sharedBytes = 0;
};

Kernel asked(const char* name, Entry* kernel) {
    Kernel k{name, kernel};
    lab::run(Todo(4), lab::gives(k.registers, k.mostThreads, k.sharedBytes), [&] {
        cudaFuncAttributes attributes{};
        if (cudaFuncGetAttributes(&attributes, address(kernel)) != cudaSuccess) return;
        k.registers = attributes.numRegs;
        k.mostThreads = attributes.maxThreadsPerBlock;
        k.sharedBytes = attributes.sharedSizeBytes;
    });
    REQUIRE(k.mostThreads > 0);
    return k;
}

int blocksOnDevice(const Kernel& k, int threads, std::size_t dynamicBytes) {
    int blocks = -1;
    const auto ask = [&] {
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address(k.kernel), threads,
                                                      dynamicBytes);
    };
    lab::run(Todo(4), lab::gives(blocks), ask);
    REQUIRE(blocks >= 0);
    return blocks;
}

void expectSame(const char* name, Entry* entry) {
    const Kernel kernel = asked(name, entry);
    cudaDeviceProp p{};
    REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
    std::cout << "       " << name << ": " << lab::count(kernel.registers, "register") << ", "
              << lab::count(kernel.sharedBytes, "byte") << " of shared memory\n";
    for (const int threads : {128, 256, 512, 1024})
        for (const std::size_t dynamic : {0, 4, 16, 32}) {
            if (threads > kernel.mostThreads) continue;
            const std::size_t bytes = kernel.sharedBytes + dynamic * limits::kKiB;
            if (bytes > p.sharedMemPerBlock) continue;
            const int wanted = blocksOnDevice(kernel, threads, dynamic * limits::kKiB);
            const int registers = roundedUp(kernel.registers);
            const int got = limits::blocksOf(Todo(4), p, {threads, registers, bytes});
            if (got != wanted)
                lab::fail("wrong-blocks", Todo(4),
                          "{} on {}\n{}:\nyour answer is {} blocks, but CUDA's is {} "
                          "(see\ncudaOccupancyMaxActiveBlocksPerMultiprocessor).",
                          name, device::name(), limits::text({threads, registers, bytes}), got,
                          wanted);
        }
}

}  // namespace

TEST_CASE("TODO(4): CUDA itself gives the same number of blocks for three kernels") {
    std::cout << "\n";
    expectSame("plainKernel", plainKernel);
    expectSame("tilesKernel", tilesKernel);
    expectSame("registersKernel", registersKernel);
}
