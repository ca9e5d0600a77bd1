// Reads what the simulated device has counted in a launch.
#pragma once

#include "lab4_memtypes/pipeline/product_run.h"

namespace pipeline {

constexpr std::uint64_t kBytesOfPair = 2 * kTile * kTile * sizeof(float);

inline const cusim::LaunchReport& countedLaunch(const lab::Text& about) {
    const auto& launch = lab::givenLaunchOf(about, "pipeline.cu");
    lab::expectOneLaunch(about, "all of P");
    return launch;
}

// Returns the launch of a product of so many phases, in which other tests judge barriers and waits.
inline const cusim::LaunchReport& launched(const lab::Text& about, Multiply* multiply, int phases) {
    run(about, multiply, lab::integers(lab::square(phases * kTile)), {"race", "unset-read"});
    return countedLaunch(about);
}

// Returns how many elements of M and N tiles load in so many phases.
inline std::uint64_t loadsOfTiles(int phases) {
    return 2 * lab::product(phases * kTile, phases * kTile, phases);
}

// Fails the test unless a launch loads as many elements of M and N as a tiled kernel.
inline void expectLoads(const lab::Text& about, const cusim::LaunchReport& launch, int phases,
                        const char* remedy) {
    const std::uint64_t loads = lab::floatsRead(launch.global()), wanted = loadsOfTiles(phases);
    if (loads == wanted) return;
    lab::fail("load-count", about, "{} from device memory instead of {}, for {}.\n{}",
              lab::count(loads, "load"), lab::grouped(wanted), lab::count(phases, "phase"), remedy);
}

// Fails the test unless all loads of a launch are asynchronous copies.
inline void expectAsynchronous(const lab::Text& about, const cusim::LaunchReport& launch) {
    const std::uint64_t all = launch.global().loadedBytes, copied = launch.async.loadedBytes;
    if (copied > 0 && copied == all) return;
    if (all == 0) lab::fail("not-asynchronous", about, "no copy is started yet.");
    lab::fail("not-asynchronous", about,
              "asynchronous copies load {} of {} from device memory.\nUse __pipeline_memcpy_async "
              "for both tiles. A load and a store need a register, and\nthe store waits for the "
              "load.",
              lab::grouped(copied), lab::count(all, "byte"));
}

// Fails the test unless a block has `least` to `most` pairs of tiles. A tile may have one or two
// unused columns.
inline void expectPairs(const lab::Text& about, const cusim::LaunchReport& launch,
                        std::uint64_t least, std::uint64_t most, const char* remedy) {
    const std::uint64_t bytes = launch.staticSharedBytes + launch.dynamicSharedBytes;
    if (bytes >= least * kBytesOfPair && bytes <= most * (kBytesOfPair + kBytesOfPair / 8)) return;
    lab::fail("shared-memory", about,
              "a block has {} of shared memory. A pair of tiles of\nfloats needs {}, and two pairs "
              "need {}.\n{}",
              lab::count(bytes, "byte"), lab::grouped(kBytesOfPair), lab::grouped(2 * kBytesOfPair),
              remedy);
}

// Fails the test unless, for each of these numbers of phases, the product is right, no threads
// race, and there is one barrier per phase and one more.
inline void expectBarriers(const lab::Text& about, Multiply* multiply,
                           const std::vector<int>& numbersOfPhases) {
    for (const int phases : numbersOfPhases) {
        INFO("Width is " << phases * kTile << ": " << lab::count(phases, "phase") << ".");
        const lab::ProductRun product =
            run(about, multiply, lab::integers(lab::square(phases * kTile)));
        lab::expectProduct(about, product);
        const auto& launch = countedLaunch(about);
        if (launch.barriersPerThread > static_cast<std::uint64_t>(phases) + 1)
            lab::fail("too-many-barriers", about,
                      "a thread executes {} in {}. One barrier per phase\nand one before the loop "
                      "are enough: the next elements are stored in the other pair,\nwhich no "
                      "thread reads in this phase.",
                      lab::count(launch.barriersPerThread, "barrier"), lab::count(phases, "phase"));
        expectLoads(about, launch, phases, "Load each element of a tile once.");
    }
}

}  // namespace pipeline
