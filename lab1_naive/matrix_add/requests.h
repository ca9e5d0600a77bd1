// Judges the warps' requests to device memory, which moves sectors of 32 bytes, by the simulated
// device's counts.
#pragma once

#include <cstdio>
#include <string>

#include "lab1_naive/matrix_add/sums.h"
#include "simulator/simulator.h"

namespace sums {

// Returns sectors per request: "4", "8.5"
inline std::string perRequest(std::uint64_t sectors, const cusim::WarpReport& warps) {
    char text[32];
    const bool whole = sectors % warps.globalRequests == 0;
    std::snprintf(text, sizeof text, whole ? "%.0f" : "%.1f",
                  static_cast<double>(sectors) / static_cast<double>(warps.globalRequests));
    return text;
}

// Returns the counts of the launch; fails the test where nothing was counted.
inline const cusim::WarpReport& requestsOf(const char* todo, const cusim::LaunchReport& launch) {
    if (launch.global().loads == 0)
        lab::fail("never-loaded",
                  "{}: the kernel loads nothing yet, so its requests cannot\nbe judged.", todo);
    if (launch.warps.globalRequests == 0)
        lab::fail("not-counted",
                  "{}: the simulated device has counted no request of a warp, though\nthe kernel "
                  "loads. This is no mistake of yours: please report it.",
                  todo);
    return launch.warps;
}

// Describes the sectors that blocks of this shape touch, in two lines; no newline after the second.
inline std::string touches(dim3 block, const cusim::WarpReport& warps) {
    return "with blocks of " + times(block.x, block.y) +
           " threads, each request of a warp touches\n" + perRequest(warps.sectors, warps) +
           " sectors of 32 bytes; " + perRequest(warps.idealSectors, warps) + " would do.";
}

}  // namespace sums
