// Tests the course's examples. The numbers of blocks are the textbook's; the limits are found by
// adding blocks one by one.
#include <iostream>
#include <vector>

#include "lab4_memtypes/limits/devices.h"

using limits::Use;

namespace {

struct Example {
    const cudaDeviceProp& device;
    Use use;
    int blocks;  // as the textbook says
};

// Returns the remaining resources with one block more than fit.
limits::Room withOneMore(const cudaDeviceProp& p, const Use& use) {
    limits::Room room(p);
    for (int blocks = limits::counted(p, use); blocks >= 0; --blocks) room.put(use);
    // A block that is too large is kept out by its threads alone.
    if (use.threads > p.maxThreadsPerBlock) {
        room.registers = room.sharedBytes = room.blocks = 0;
        room.threads = -1;
    }
    return room;
}

int blocksFor(const cudaDeviceProp& device, const Use& use) {
    return limits::blocksOf(Todo(4), device, use);
}

void expectBlocks(const Example& e) {
    const int got = blocksFor(e.device, e.use);
    // Otherwise the test itself is wrong.
    REQUIRE(limits::counted(e.device, e.use) == e.blocks);
    if (got != e.blocks)
        lab::fail("wrong-blocks", Todo(4),
                  "{}\n{}:\nyour answer is {} blocks instead of {}. The smallest of four limits "
                  "counts.\n{}.",
                  e.device.name, limits::text(e.use), got, e.blocks,
                  limits::eachAlone(e.device, e.use));
}

// Returns the end of a message on a resource that has too little left for one block
// more, but not nothing; `room` is that after this block.
std::string leftOver(const limits::Room& room, const Use& use) {
    const long registers = static_cast<long>(use.threads) * use.registersPerThread;
    const auto told = [](long left, const char* what) {
        return lab::filled(
                   ", and {} {} are left, too few for one block more. A limit is reached\n"
                   "when less is left than a block takes, and not only when nothing is left.",
                   lab::grouped(static_cast<std::size_t>(left)), what)
            .words;
    };
    if (room.registers < 0 && room.registers + registers > 0)
        return told(room.registers + registers, "registers");
    if (room.threads < 0 && room.threads + use.threads > 0)
        return told(room.threads + use.threads, "threads");
    return ": does limitedBy pass it these values?";
}

// Returns the limit that limitedBy names; fails the test unless it keeps one more block out.
std::string expectLimit(const cudaDeviceProp& device, const Use& use) {
    const std::string limit = limits::limitOf(Todo(5), device, use);
    const limits::Room room = withOneMore(device, use);
    if (!room.lacks(limit))
        lab::fail("wrong-limit", Todo(5),
                  "{}\n{}:\n\"{}\" does not prevent one more block, but {} does. {}.{}\n"
                  "blocksPerMultiprocessor() is {} here{}",
                  device.name, limits::text(use), limit, limits::rightOnes(room),
                  limits::eachAlone(device, use), limits::ifNoWord(limit),
                  limits::counted(device, use),
                  limits::counted(device, use) > 0 && limits::ifNoWord(limit).empty()
                      ? leftOver(room, use)
                      : ": does limitedBy pass it these values?");
    return limit;
}

void showLimit(const cudaDeviceProp& device, const Use& use) {
    const std::string limit = expectLimit(device, use);
    const int blocks = limits::counted(device, use);
    std::cout << "       " << device.name << ": " << use.threads << " threads";
    if (use.registersPerThread > 0) std::cout << ", " << use.registersPerThread << " registers";
    if (use.sharedBytes > 0) std::cout << ", " << use.sharedBytes / limits::kKiB << " KB";
    std::cout << ": " << blocks << (blocks == 1 ? " block" : " blocks") << ", by " << limit << "\n";
}

// Returns a block's use with two tiles of T x T floats and one thread per element; registers do not
// limit it.
Use tiles(int T) { return {T * T, 0, 2 * lab::product(T, T) * sizeof(float)}; }

const std::size_t kKiB = limits::kKiB;

std::vector<Example> examples() {
    return {
        // 10 registers per thread allow full occupancy; 11 allow 1,024 threads.
        {limits::kDeviceD, {512, 10, 0}, 3},
        {limits::kDeviceD, {512, 11, 0}, 2},
        // 10 registers allow 768 threads, 11 allow 512.
        {limits::k8800Gtx, {256, 10, 0}, 3},
        {limits::k8800Gtx, {256, 11, 0}, 2},
        // Blocks of 64 threads share 16 KB.
        {limits::k8800Gtx, {64, 10, 2 * kKiB}, 8},
        {limits::k8800Gtx, {64, 10, 5 * kKiB}, 3},
        {limits::k8800Gtx, {64, 10, 8 * kKiB}, 2},
        // Tiles of 16 and 32 take 2 KB and 8 KB.
        {limits::k8800Gtx, tiles(16), 3},
        {limits::k8800Gtx, tiles(32), 0},
        {limits::k1536, tiles(16), 6},
        {limits::k1536, tiles(32), 1},
        {limits::k2048, tiles(16), 8},
        {limits::k2048, tiles(32), 2},
    };
}

}  // namespace

TEST_CASE("TODO(4): the number of blocks is right for the course's examples") {
    for (const Example& example : examples()) expectBlocks(example);
}

TEST_CASE("TODO(5): the course's examples have the right limit") {
    std::cout << "\n";
    for (const Example& example : examples()) showLimit(example.device, example.use);
}

TEST_CASE("TODO(4): one more register per thread costs device D a third of its threads") {
    const int with10 = 512 * blocksFor(limits::kDeviceD, {512, 10, 0});
    const int with11 = 512 * blocksFor(limits::kDeviceD, {512, 11, 0});
    if (with10 != limits::kDeviceD.maxThreadsPerMultiProcessor || 3 * (with10 - with11) != with10)
        lab::fail("wrong-blocks", Todo(4),
                  "an SM holds {} threads with 10 registers per thread, and {} with 11.\n1,536 and "
                  "1,024 are right.",
                  with10, with11);
}

TEST_CASE("TODO(4): 16 KB hold 6 blocks with tiles of 16, or one block with tiles of 32") {
    const int small = blocksFor(limits::k1536, tiles(16)),
              large = blocksFor(limits::k1536, tiles(32));
    const std::size_t used = static_cast<std::size_t>(std::max(0, small)) * tiles(16).sharedBytes;
    if (small != 6 || used != 12 * kKiB || large != 1)
        lab::fail("wrong-blocks", Todo(4),
                  "your answer is {} blocks of T = 16, which need {} bytes, and for T = 32 it is "
                  "{}.\n6 blocks, 12 KB and 1 block are right.",
                  small, used, large);
}

TEST_CASE("TODO(4): in 64 KB, tiles of 16 and of 32 have the same number of pending loads") {
    const int small = blocksFor(limits::k2048, tiles(16)),
              large = blocksFor(limits::k2048, tiles(32));
    // Each thread waits for two loads, one of M and one of N.
    const int pending16 = small * 2 * 16 * 16, pending32 = large * 2 * 32 * 32;
    if (pending16 != 4096 || pending32 != 4096)
        lab::fail("wrong-blocks", Todo(4),
                  "{} loads are pending with T = 16 and {} with T = 32.\n4,096 are right for both.",
                  pending16, pending32);
}

// In this order, some device limits each by blocks, threads, registers and shared memory; of the
// last, four bytes less would let one more block in.
const Use kUses[] = {
    {8, 8, 0}, {768, 8, 0}, {256, 40, 0}, {64, 8, 12 * kKiB}, {64, 8, 8 * kKiB + 4}};

TEST_CASE("TODO(4): the smallest limit counts, whichever of the four it is") {
    for (const Use& use : kUses)
        for (const auto& device : {limits::kDeviceD, limits::k1536, limits::k2048})
            expectBlocks({device, use, limits::counted(device, use)});
}

TEST_CASE("TODO(5): the limit is right, whichever of the four resources runs out first") {
    for (const Use& use : kUses)
        for (const auto& device : {limits::kDeviceD, limits::k1536, limits::k2048})
            expectLimit(device, use);
}
