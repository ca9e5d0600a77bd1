// Tests each limit alone, on round and on odd numbers.
#include <functional>

#include "lab4_memtypes/limits/devices.h"

namespace {

const cudaDeviceProp kDevices[] = {limits::kDeviceD, limits::k8800Gtx, limits::k2048, limits::kK80};
const int kNotLimited = std::numeric_limits<int>::max();
const char* const kTakesNone = "A block that needs none is not limited: return INT_MAX.";

// Counts how many times a part fits the whole.
int times(long whole, long part) {
    int n = 0;
    for (long taken = part; taken <= whole; taken += part) ++n;
    return n;
}

// A wrong answer that has a known cause.
struct Known {
    long answer;
    lab::Text cause;
};

Known ifAdded(std::size_t all, std::size_t bytes, std::size_t reserved) {
    return {static_cast<long>(all / bytes + reserved),
            lab::filled("This is {} / {} + {}. A block takes the sum of the bytes: divide by "
                        "({} + {}).",
                        all, bytes, reserved, bytes, reserved)};
}

Known ifInFloats(std::size_t all, std::size_t bytes) {
    return {static_cast<long>(all / (bytes / sizeof(float))),
            lab::filled("This is {} / {}. The block's memory is counted in floats, the SM's in "
                        "bytes:\ncount both in bytes.",
                        all, bytes / sizeof(float))};
}

// Cards take registers in portions of 8 for each thread.
Known ifRoundedUp(long all, long threads, long registers) {
    const long taken = (registers + 7) / 8 * 8;
    return {all / (threads * taken),
            lab::filled("This is {} / ({} x {}): {} per thread, rounded\nup to {} as on cards. "
                        "This exercise leaves the rounding out.",
                        all, threads, taken, lab::count(registers, "register"), taken)};
}

void expectBlocks(const Todo& todo, const lab::Text& question, int wanted, const lab::Text& why,
                  const std::function<int()>& answer, const Known& known = {-1, ""}) {
    const int got = limits::ask(todo, answer);
    if (got == wanted) return;
    const int all = limits::kDeviceD.multiProcessorCount;
    lab::fail(
        "wrong-limit", todo, "{}:\nyour answer is {} instead of {}.\n{}", question, got, wanted,
        wanted > 0 && wanted < kNotLimited && got == all * wanted
            ? lab::filled("That is the number for all {} SMs of the device: count for one SM.", all)
        : got == known.answer ? known.cause
                              : why);
}

}  // namespace

TEST_CASE("TODO(1): an SM holds as many blocks as its threads allow") {
    for (const auto& device : kDevices) {
        const int room = device.maxThreadsPerMultiProcessor;
        for (const int threads : {32, 96, 128, 256, 320, 512})
            expectBlocks(
                Todo(1), lab::filled("{}, blocks of {} threads", device.name, threads),
                times(room, threads),
                lab::filled(
                    "The SM can hold {}, and a block can have {}. Only whole\nblocks count.",
                    lab::count(room, "thread"), lab::count(device.maxThreadsPerBlock, "thread")),
                [&] { return blocksByThreads(device, threads); });
    }
    expectBlocks(Todo(1), "8800 GTX, blocks of 1,024 threads", 0,
                 "A block can have at most 512 threads.",
                 [&] { return blocksByThreads(limits::k8800Gtx, 1024); });
    const cudaDeviceProp small = limits::deviceWith("", 2048, 16, 65536, 64 * limits::kKiB, 256);
    expectBlocks(Todo(1), "a device whose blocks have at most 256 threads, asked for 512", 0,
                 "Such a block cannot be launched: compare with device.maxThreadsPerBlock.",
                 [&] { return blocksByThreads(small, 512); });
}

TEST_CASE("TODO(2): an SM holds as many blocks as its registers allow") {
    for (const auto& device : kDevices) {
        for (const int registers : {1, 10, 11, 16, 33, 64, 255})
            for (const int threads : {64, 256, 512}) {
                if (device.regsPerBlock < registers * threads &&
                    device.regsPerBlock < device.regsPerMultiprocessor)
                    continue;  // such a block cannot be launched, whatever the SM has
                expectBlocks(
                    Todo(2),
                    lab::filled("{}, registers per thread: {}, blocks of {} threads", device.name,
                                registers, threads),
                    times(device.regsPerMultiprocessor, static_cast<long>(registers) * threads),
                    "Each thread needs its own registers, and only whole blocks count.",
                    [&] { return blocksByRegisters(device, threads, registers); },
                    ifRoundedUp(device.regsPerMultiprocessor, threads, registers));
            }
        expectBlocks(Todo(2), lab::filled("{}, no registers", device.name), kNotLimited, kTakesNone,
                     [&] { return blocksByRegisters(device, 256, 0); });
    }
}

TEST_CASE("TODO(3): an SM holds as many blocks as its shared memory allows") {
    for (cudaDeviceProp device : kDevices) {
        const std::size_t all = device.sharedMemPerMultiprocessor;
        for (const std::size_t reserved : {std::size_t{0}, limits::kKiB})
            for (const std::size_t bytes : {900, 2048, 5120, 8192, 16384, 61440}) {
                device.reservedSharedMemPerBlock = reserved;
                expectBlocks(
                    Todo(3),
                    lab::filled("{}, {} bytes per block, {} reserved", device.name, bytes,
                                reserved),
                    times(static_cast<long>(all), static_cast<long>(bytes + reserved)),
                    lab::filled("The SM has {}. A block needs its own bytes and those "
                                "that the device\nreserves in each block, here {}.",
                                lab::count(all, "byte"), reserved),
                    [&] { return blocksBySharedMemory(device, bytes); },
                    reserved > 0 ? ifAdded(all, bytes, reserved) : ifInFloats(all, bytes));
            }
        device.reservedSharedMemPerBlock = 0;
        expectBlocks(Todo(3), lab::filled("{}, no shared memory", device.name), kNotLimited,
                     kTakesNone, [&] { return blocksBySharedMemory(device, 0); });
    }
}
