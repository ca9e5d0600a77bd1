// Judges the warps' requests by the simulated device's counts: passes over the banks of shared
// memory, and sectors of device memory.
#pragma once

#include <cstdio>
#include <string>

#include "lab2_tiled/banks/values.h"
#include "simulator/simulator.h"

namespace banks {

// Returns parts per request: "1", "16.5"
inline std::string perRequest(std::uint64_t parts, std::uint64_t requests) {
    char text[32];
    std::snprintf(text, sizeof text, parts % requests == 0 ? "%.0f" : "%.1f",
                  static_cast<double>(parts) / static_cast<double>(requests));
    return text;
}

// Returns the launch of the code that ran last; fails the test where there is none.
inline const cusim::LaunchReport& onlyLaunch(const std::string& todo) {
    if (cusim::launches().empty())
        lab::fail("not-launched",
                  "{}: no kernel is launched. The host side is complete as it came with\nbanks.cu; "
                  "restore it.",
                  todo);
    return cusim::launches().front();
}

inline const cusim::WarpReport& requestsOf(const std::string& todo) {
    const auto& warps = onlyLaunch(todo).warps;
    if (warps.globalRequests == 0)
        lab::fail("not-counted",
                  "{}: the simulated device has counted no request of a warp, though the\nresult "
                  "is right. This is no mistake of yours: please report it.",
                  todo);
    return warps;
}

inline void expectNoConflicts(const std::string& todo, const std::string& remedy) {
    const auto& warps = requestsOf(todo);
    if (warps.sharedPasses == warps.sharedRequests) return;
    lab::fail(
        "bank-conflict",
        "{}: {} to shared memory take {} over the\nbanks, {} each on average; 1 would do.\n{}",
        todo, lab::count(warps.sharedRequests, "request"), lab::count(warps.sharedPasses, "passe"),
        perRequest(warps.sharedPasses, warps.sharedRequests), remedy);
}

inline void expectCoalesced(const std::string& todo) {
    const auto& warps = requestsOf(todo);
    if (warps.sectors == warps.idealSectors) return;
    lab::fail("uncoalesced",
              "{}: a request to device memory touches {} sectors of 32 bytes;\n{} would do. "
              "Neighbours in threadIdx.x must take neighbours of a row,\nin loads and in stores.",
              todo, perRequest(warps.sectors, warps.globalRequests),
              perRequest(warps.idealSectors, warps.globalRequests));
}

}  // namespace banks
