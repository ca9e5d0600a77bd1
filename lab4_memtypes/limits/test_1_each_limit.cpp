// Tests each limit alone, on round and on odd numbers.
#include <functional>

#include "lab4_memtypes/limits/devices.h"

namespace {

const int kNotLimited = std::numeric_limits<int>::max();

// Counts how many times a part fits the whole.
int times(long whole, long part) {
    int n = 0;
    for (long taken = part; taken <= whole; taken += part) ++n;
    return n;
}

void expectBlocks(const std::string& todo, const std::string& question,
                  const std::function<int()>& answer, int wanted, const std::string& why) {
    const int got = limits::ask(todo, answer);
    if (got == wanted) return;
    lab::fail("wrong-limit", "{}: {}:\n{}, and not {}.\n{}", todo, question, got, wanted, why);
}

}  // namespace

TEST_CASE("TODO(1): an SM holds as many blocks as its threads allow") {
    for (const auto& device : {limits::kDeviceD, limits::k8800Gtx, limits::k2048}) {
        const cudaDeviceProp p = limits::properties(device);
        for (const int threads : {32, 96, 128, 256, 320, 512})
            expectBlocks(
                "TODO(1)",
                std::string(device.name) + ", blocks of " + std::to_string(threads) + " threads",
                [&] { return blocksByThreads(p, threads); }, times(device.threads, threads),
                "The SM has room for " + lab::count(device.threads, "thread") +
                    "; only whole blocks count.");
    }
    expectBlocks(
        "TODO(1)", "8800 GTX, blocks of 1,024 threads",
        [&] { return blocksByThreads(limits::properties(limits::k8800Gtx), 1024); }, 0,
        "Its blocks have at most 512 threads.");
    const limits::Device small{"", 2048, 16, 65536, 64 * limits::kKiB, 256};
    expectBlocks(
        "TODO(1)", "a device whose blocks have at most 256 threads, asked for 512",
        [&] { return blocksByThreads(limits::properties(small), 512); }, 0,
        "Such a block cannot be launched: compare with device.maxThreadsPerBlock.");
}

TEST_CASE("TODO(2): an SM holds as many blocks as its registers allow") {
    for (const auto& device : {limits::kDeviceD, limits::k8800Gtx, limits::k2048}) {
        const cudaDeviceProp p = limits::properties(device);
        for (const int registers : {1, 10, 11, 16, 33, 64, 255})
            for (const int threads : {64, 256, 512})
                expectBlocks(
                    "TODO(2)",
                    std::string(device.name) +
                        ", registers a thread: " + std::to_string(registers) + ", blocks of " +
                        std::to_string(threads) + " threads",
                    [&] { return blocksByRegisters(p, threads, registers); },
                    times(device.registers, static_cast<long>(registers) * threads),
                    "Each thread has registers of its own, and only whole blocks count.");
        expectBlocks(
            "TODO(2)", std::string(device.name) + ", no registers",
            [&] { return blocksByRegisters(p, 256, 0); }, kNotLimited,
            "Who takes none is not limited: INT_MAX.");
    }
}

TEST_CASE("TODO(3): an SM holds as many blocks as its shared memory allows") {
    for (const auto& device : {limits::kDeviceD, limits::k8800Gtx, limits::k2048}) {
        cudaDeviceProp p = limits::properties(device);
        for (const std::size_t reserved : {std::size_t{0}, limits::kKiB})
            for (const std::size_t bytes :
                 {std::size_t{1000}, 2 * limits::kKiB, 5 * limits::kKiB, 8 * limits::kKiB,
                  16 * limits::kKiB, 60 * limits::kKiB}) {
                p.reservedSharedMemPerBlock = reserved;
                expectBlocks(
                    "TODO(3)",
                    std::string(device.name) + ", " + std::to_string(bytes) + " bytes a block, " +
                        std::to_string(reserved) + " reserved",
                    [&] { return blocksBySharedMemory(p, bytes); },
                    times(static_cast<long>(device.sharedBytes),
                          static_cast<long>(bytes + reserved)),
                    "The SM has " + lab::count(device.sharedBytes, "byte") +
                        "; a block takes its own, and those that the device\nreserves in each, "
                        "here " +
                        std::to_string(reserved) + ".");
            }
        p.reservedSharedMemPerBlock = 0;
        expectBlocks(
            "TODO(3)", std::string(device.name) + ", no shared memory",
            [&] { return blocksBySharedMemory(p, 0); }, kNotLimited,
            "Who takes none is not limited: INT_MAX.");
    }
}
