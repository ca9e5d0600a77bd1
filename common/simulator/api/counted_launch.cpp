#include "simulator/api/counted_launch.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "simulator/model/card_time.h"
#include "text/json.h"

namespace cusim {
namespace {

json::Object described(const RequestCount& count) {
    json::Object out;
    out.add("requests", count.requests).add("units", count.units);
    out.add("conflicts", count.conflicts).add("plainUnits", count.plainUnits);
    out.add("distinctBytes", count.distinctBytes);
    out.add("repeated", count.repeated).add("repeatedUnits", count.repeatedUnits);
    return out.add("neighbouringUnits", count.neighbouringUnits);
}

int warpsOf(int threads) { return (threads + 31) / 32; }

}  // namespace

void writeCounts(const LaunchReport& launch) {
    const dim3 &grid = launch.grid, &block = launch.block;
    const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    const Occupancy fit = occupancy(launch);
    const WarpReport& warps = launch.warps;
    const ModelledTime time = modelledTime(launch);
    json::Object out;
    out.add("kernel", launch.kernel).add("file", launch.at.file).add("line", launch.at.line);
    out.add("grid", std::vector<unsigned>{grid.x, grid.y, grid.z});
    out.add("block", std::vector<unsigned>{block.x, block.y, block.z});
    out.add("completed", launch.completed && warps.blocks == blocks);
    out.add("globalLoads", described(launch.requests.global[0]));
    out.add("globalStores", described(launch.requests.global[1]));
    out.add("sharedLoads", described(launch.requests.shared[0]));
    out.add("sharedStores", described(launch.requests.shared[1]));
    out.add("warps", warps.warps).add("divergentWarps", warps.divergentWarps);
    out.add("tensorOperations", launch.tensorOperations);
    out.add("warpsThatFit", fit.blocks * warpsOf(static_cast<int>(block.x * block.y * block.z)));
    out.add("mostWarps", warpsOf(fit.mostThreads)).add("card", time.card);
    out.add("nanoseconds", std::llround(1000 * time.microseconds));
    out.add("limitedBy", time.limitedBy);
    const std::string& path = options().counts;
    std::FILE* const file = std::fopen(path.c_str(), "a");
    const bool written = file && std::fprintf(file, "%s\n", out.text().c_str()) > 0;
    if (file && std::fclose(file) == 0 && written) return;
    std::fprintf(stderr, "COUNTS: %s cannot be written (%s)\n", path.c_str(), std::strerror(errno));
    std::exit(2);
}

}  // namespace cusim
