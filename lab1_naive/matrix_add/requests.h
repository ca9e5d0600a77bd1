// Judges the warps' requests to device memory, which moves sectors of 32 bytes, by the simulated
// device's counts.
#pragma once

#include <string>

#include "lab1_naive/matrix_add/sums.h"
#include "testing/lab_sim.h"

namespace sums {

// Returns the counts of the launch; fails the test if nothing was counted.
inline const cusim::WarpReport& requestsOf(const Todo& todo, const cusim::LaunchReport& launch) {
    if (launch.global().loads == 0)
        lab::fail("never-loaded", todo,
                  "the kernel loads nothing yet, so its requests cannot\nbe judged.");
    if (launch.warps.globalRequests == 0)
        lab::fail("not-counted", todo,
                  "the simulated device has counted no request of a warp, though\nthe kernel "
                  "loads. This is no mistake of yours: please report it.");
    return launch.warps;
}

// Describes the sectors that blocks of this shape touch, in two lines; no newline after the second.
inline std::string touches(dim3 block, const cusim::WarpReport& warps) {
    return "with blocks of " + times(block.x, block.y) +
           " threads, each request of a warp touches\n" +
           lab::perRequest(warps.sectors, warps.globalRequests) + " sectors of 32 bytes; " +
           lab::perRequest(warps.idealSectors, warps.globalRequests) + " would do.";
}

}  // namespace sums
