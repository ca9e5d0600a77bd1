// Judges the warps' requests by the simulated device's counts: passes over the banks of shared
// memory, and sectors of device memory.
#pragma once

#include <string>

#include "lab2_tiled/banks/values.h"
#include "testing/lab_sim.h"

namespace banks {

// Returns the launch of the code that ran last; fails the test if there is none.
inline const cusim::LaunchReport& onlyLaunch(const lab::Text& about) {
    const auto& launch = lab::givenLaunchOf(about, "banks.cu");
    lab::expectOneLaunch(about, "the whole result");
    return launch;
}

inline const cusim::WarpReport& requestsOf(const lab::Text& about) {
    const auto& warps = onlyLaunch(about).warps;
    if (warps.globalRequests == 0)
        lab::fail("not-counted", about,
                  "the simulated device has counted no request of a warp, although the\nresult is "
                  "right. This is not your mistake: please report it.");
    return warps;
}

// `enough` accesses to the tile are one for each element that is stored there, and those that are
// read.
inline void expectNoConflicts(const Todo& todo, std::uint64_t enough, const std::string& remedy) {
    const auto& warps = requestsOf(todo);
    const auto& launch = onlyLaunch(todo);
    lab::expectNoAtomics(todo, "bank-conflict", launch.shared(), "the tile");
    const std::uint64_t most = enough / kBanks;
    if (warps.sharedPasses <= warps.sharedRequests && warps.sharedRequests > most)
        lab::fail("bank-conflict", todo,
                  "{} to shared memory, but {} are enough: the threads of a\nwarp take turns. All "
                  "of them must read what they need in the same statement.",
                  lab::count(warps.sharedRequests, "request"), most);
    if (warps.sharedPasses <= warps.sharedRequests) return;
    lab::fail(
        "bank-conflict", todo,
        "{} to shared memory need {} over the\nbanks: {} each on average, but 1 is enough.\n{}",
        lab::count(warps.sharedRequests, "request"), lab::count(warps.sharedPasses, "passe"),
        lab::perRequest(warps.sharedPasses, warps.sharedRequests), remedy);
}

// Fails the test if more is stored than this many elements, or a thread waits more than once.
inline void expectOnce(const Todo& todo, std::uint64_t elements) {
    const auto& launch = onlyLaunch(todo);
    const std::uint64_t stores = launch.global().storedBytes / sizeof(float);
    lab::expectNoAtomics(todo, "store-count", launch.global(), "A and B");
    if (stores > elements)
        lab::fail("store-count", todo,
                  "{} to device memory by {},\nbut B has {}. Store each element once.",
                  lab::count(stores, "store"), lab::count(launch.threads, "thread"),
                  lab::count(elements, "element"));
    if (launch.barriersPerThread > 1)
        lab::fail("too-many-barriers", todo,
                  "a thread executes {}, but one is enough, between the\nstores to the tile and "
                  "the loads from it.",
                  lab::count(launch.barriersPerThread, "barrier"));
}

// `elements` are those of B.
inline void expectCoalesced(const Todo& todo, std::uint64_t elements) {
    const auto& warps = requestsOf(todo);
    const auto& launch = onlyLaunch(todo);
    expectOnce(todo, elements);
    if (warps.sectors <= warps.idealSectors) return lab::expectWholeWarps(todo, launch);
    lab::fail(
        "uncoalesced", todo,
        "a request to device memory accesses {} sectors of 32 bytes,\nbut {} are enough. Threads "
        "that are neighbours in x must use neighbours in a row,\nin loads and in stores.",
        lab::perRequest(warps.sectors, warps.globalRequests),
        lab::perRequest(warps.idealSectors, warps.globalRequests));
}

}  // namespace banks
