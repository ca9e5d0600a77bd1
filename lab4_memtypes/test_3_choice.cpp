// Tests the choice of the tile width, for invented devices and for the one at hand.
#include "lab4_memtypes/tile_limits.h"
#include "testing/device.h"

namespace {

cudaDeviceProp made(int threadsPerBlock, int kilobytes, int optInKilobytes) {
    cudaDeviceProp device{};
    device.maxThreadsPerBlock = threadsPerBlock;
    device.sharedMemPerBlock = static_cast<std::size_t>(kilobytes) * 1024;
    device.sharedMemPerBlockOptin = static_cast<std::size_t>(optInKilobytes) * 1024;
    // What newer devices reserve is not among the bytes that a block may ask for.
    device.reservedSharedMemPerBlock = optInKilobytes > kilobytes ? 1024 : 0;
    // A multiprocessor holds several blocks.
    device.sharedMemPerMultiprocessor =
        2 * (device.sharedMemPerBlockOptin + device.reservedSharedMemPerBlock);
    device.maxThreadsPerMultiProcessor = 2 * threadsPerBlock;
    device.warpSize = 32;
    return device;
}

void expectLargest(const cudaDeviceProp& device) {
    int chosen = 0;
    lab::run(Todo(6), lab::gives(chosen), [&] { chosen = chooseTileWidth(device); });
    const int wanted = largestTileWidth(device);
    if (chosen == wanted) return;
    std::string text =
        "a block of the device can have " + lab::count(device.maxThreadsPerBlock, "thread") +
        " and " + lab::count(device.sharedMemPerBlockOptin, "byte") + " of shared memory\n(" +
        lab::count(device.sharedMemPerBlock, "byte") +
        " if the kernel asks for no more). chooseTileWidth returns " + std::to_string(chosen);
    if (chosen < 1 || chosen % kRows)
        text += ", which is not a multiple of " + std::to_string(kRows) + ".";
    else if (!fits(chosen, device))
        text += ", which is too large:\n" + demand(chosen);
    else
        text += ", but a larger tile fits:\n" + demand(wanted);
    lab::fail("tile-width", Todo(6), "{}", text);
}

}  // namespace

TEST_CASE("TODO(6): the tile is as large as a block's threads and shared memory allow") {
    for (const int threads : {256, 512, 1024})
        for (const int kilobytes : {2, 8, 16, 32, 48})
            expectLargest(made(threads, kilobytes, kilobytes));
    // Here the threads of a block are the limit.
    for (const int threads : {100, 256, 512, 1024}) expectLargest(made(threads, 48, 227));
    for (const int optIn : {64, 72, 96, 99, 163, 227}) expectLargest(made(1024, 48, optIn));
}

TEST_CASE("the tile is as large as this device allows") {
    device::reset();
    expectLargest(deviceAtHand());
}
