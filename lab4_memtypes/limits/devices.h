// Lists the course's devices, and counts block by block how many blocks they hold.
#pragma once

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>

#include "lab4_memtypes/limits/limits.h"
#include "testing/lab.h"

namespace limits {

const std::size_t kKiB = 1024;

// Returns a device by the resources of a multiprocessor.
inline cudaDeviceProp deviceWith(const char* name, int threads, int blocks, int registers,
                                 std::size_t sharedBytes, int threadsPerBlock) {
    cudaDeviceProp p{};
    std::snprintf(p.name, sizeof p.name, "%s", name);
    p.maxThreadsPerMultiProcessor = threads;
    p.maxBlocksPerMultiProcessor = blocks;
    p.regsPerMultiprocessor = p.regsPerBlock = registers;
    p.sharedMemPerMultiprocessor = sharedBytes;
    // A single block may use only part of a large shared memory.
    p.sharedMemPerBlock = p.sharedMemPerBlockOptin = std::min(sharedBytes, 48 * kKiB);
    p.maxThreadsPerBlock = threadsPerBlock;
    p.warpSize = 32;
    p.multiProcessorCount = 4;
    return p;
}

// If the course gives no number, the table has the smallest one that does not limit its examples.
// Textbook: "device D" of its section on memory as a limit, the GeForce 8800 GTX, and the two
// devices of the section on tile sizes.
const cudaDeviceProp kDeviceD = deviceWith("device D", 1536, 8, 16384, 48 * kKiB, 1024);
const cudaDeviceProp k8800Gtx = deviceWith("8800 GTX", 768, 8, 8192, 16 * kKiB, 512);
const cudaDeviceProp k1536 = deviceWith("1,536-thread SM", 1536, 8, 32768, 16 * kKiB, 1024);
const cudaDeviceProp k2048 = deviceWith("2,048-thread SM", 2048, 16, 65536, 64 * kKiB, 1024);
// CUDA C++ Programming Guide up to CUDA 6.5, "Technical specifications per compute capability".
const cudaDeviceProp kCapability10 = deviceWith("capability 1.0", 768, 8, 8192, 16 * kKiB, 512);
const cudaDeviceProp kCapability12 = deviceWith("capability 1.2", 1024, 8, 16384, 16 * kKiB, 512);

// An SM of the Tesla K80 has more than one block may take, of registers and of shared memory (CUDA
// C++ Programming Guide up to CUDA 11, capability 3.7).
const cudaDeviceProp kK80 = [] {
    cudaDeviceProp p = deviceWith("Tesla K80", 2048, 16, 131072, 112 * kKiB, 1024);
    p.regsPerBlock = 65536;
    return p;
}();

// The resources that a block takes.
struct Use {
    int threads, registersPerThread;
    std::size_t sharedBytes;
};

inline std::string text(const Use& use) {
    return lab::count(use.threads, "thread") + " per block, " +
           lab::count(use.registersPerThread, "register") + " per thread, " +
           lab::count(use.sharedBytes, "byte") + " of shared memory";
}

// Returns the answer of a function of limits.cu, guarded so that it cannot end the tests.
template <class Question>
auto ask(const Todo& todo, const Question& question) {
    decltype(question()) answer{};
    lab::run(todo, lab::gives(answer), [&] { answer = question(); });
    return answer;
}

inline int blocksOf(const Todo& todo, const cudaDeviceProp& p, const Use& use) {
    return ask(todo, [&] {
        return blocksPerMultiprocessor(p, use.threads, use.registersPerThread, use.sharedBytes);
    });
}

inline std::string limitOf(const Todo& todo, const cudaDeviceProp& p, const Use& use) {
    return ask(todo, [&] {
        const char* const limit =
            limitedBy(p, use.threads, use.registersPerThread, use.sharedBytes);
        return std::string(limit ? limit : "nothing");
    });
}

// Returns what to add to a message if an answer of limitedBy is not one of its words.
inline std::string ifNoWord(const std::string& limit) {
    for (const char* word : {"blocks", "threads", "registers", "shared memory"})
        if (limit == word) return "";
    return "\nReturn \"blocks\", \"threads\", \"registers\" or \"shared memory\".";
}

// The free resources of an SM while blocks are put in one by one.
struct Room {
    long threads, registers, sharedBytes, blocks;

    explicit Room(const cudaDeviceProp& p)
        : threads(p.maxThreadsPerMultiProcessor),
          registers(p.regsPerMultiprocessor),
          sharedBytes(static_cast<long>(p.sharedMemPerMultiprocessor)),
          blocks(p.maxBlocksPerMultiProcessor) {}
    void put(const Use& use) {
        threads -= use.threads;
        registers -= static_cast<long>(use.threads) * use.registersPerThread;
        sharedBytes -= static_cast<long>(use.sharedBytes);
        blocks -= 1;
    }
    bool overfull() const { return threads < 0 || registers < 0 || sharedBytes < 0 || blocks < 0; }
    // Returns whether this resource, by its usual name, is exceeded.
    bool lacks(const std::string& what) const {
        return (what == "threads" && threads < 0) || (what == "registers" && registers < 0) ||
               (what == "shared memory" && sharedBytes < 0) || (what == "blocks" && blocks < 0);
    }
};

// Returns the limits that the blocks in the room exceed, as in `"threads"`.
inline std::string rightOnes(const Room& room) {
    std::string text;
    for (const char* word : {"threads", "registers", "shared memory", "blocks"})
        if (room.lacks(word)) text += (text.empty() ? "\"" : " or \"") + std::string(word) + '"';
    return text;
}

// Returns how many blocks each resource alone has room for.
inline std::string eachAlone(const cudaDeviceProp& p, const Use& use) {
    const auto alone = [](std::size_t all, std::size_t part) {
        return part == 0 ? std::string("any number") : lab::grouped(all / part);
    };
    const auto threads = static_cast<std::size_t>(use.threads),
               registers = threads * static_cast<std::size_t>(use.registersPerThread);
    return lab::filled(
               "Alone, the threads allow {}, the registers {} and the shared memory {}.\nAn SM "
               "holds at most {}",
               use.threads > p.maxThreadsPerBlock
                   ? "0"
                   : alone(static_cast<std::size_t>(p.maxThreadsPerMultiProcessor), threads),
               alone(static_cast<std::size_t>(p.regsPerMultiprocessor), registers),
               alone(p.sharedMemPerMultiprocessor, use.sharedBytes), p.maxBlocksPerMultiProcessor)
        .words;
}

// Counts the blocks that fit, adding one after the other.
inline int counted(const cudaDeviceProp& p, const Use& use) {
    if (use.threads > p.maxThreadsPerBlock) return 0;
    Room room(p);
    int blocks = 0;
    for (room.put(use); !room.overfull(); room.put(use)) ++blocks;
    return blocks;
}

}  // namespace limits
