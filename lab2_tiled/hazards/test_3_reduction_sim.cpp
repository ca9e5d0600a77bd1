// Tests the barriers of the tree reduction.
#include "lab2_tiled/hazards/barriers.h"

namespace {

std::uint64_t stepsOf(const cusim::LaunchReport& launch) {
    std::uint64_t steps = 0;
    for (unsigned kb = launch.block.x / 2; kb > 0; kb /= 2) ++steps;
    return steps;
}

// Returns a line on the steps of the tree if there are too few barriers for all of them.
std::string stepsSeen() {
    const auto& launch = hazards::onlyLaunch("normalizeColumns");
    const std::uint64_t enough = stepsOf(launch) + 1;
    if (launch.barriersPerThread >= enough) return "";
    const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y,
                        stores = launch.shared().stores / blocks, warps = launch.block.x / 32;
    if (launch.shared().atomics == 0 && stores < warps)
        return lab::filled(
            "The block has {}, but stores {} into shared memory. Threads of different\nwarps "
            "can meet only there: a shuffle moves values within one warp. Let each\nwarp store "
            "its sum, and then add these.",
            lab::count(warps, "warp"), lab::count(stores, "value"));
    // Each thread adds the sums of all: that is no tree.
    if (2 * launch.shared().loads / blocks >= std::uint64_t{launch.block.x} * launch.block.x)
        return "";
    return lab::filled(
        "A thread reaches {}, but a tree of {} has {}. One barrier\nbelongs before each step and "
        "one after the last: does the loop over\nkb leave steps out?",
        lab::count(launch.barriersPerThread, "barrier"), lab::count(launch.block.x, "thread"),
        lab::count(enough - 1, "step"));
}

}  // namespace

TEST_CASE("TODO(3): all threads reach every barrier, and no step begins too early") {
    hazards::expectSynchronized(Todo(3), 0, hazards::onNormalizeColumns(100, 3), stepsSeen);
}

TEST_CASE("TODO(3): a thread waits no more than once a step and once after the last") {
    const hazards::Trial trial = hazards::onNormalizeColumns(100, 3);
    const auto& launch = hazards::countedLaunch(Todo(3), trial);
    const std::uint64_t steps = stepsOf(launch);
    hazards::expectNoMoreBarriers(Todo(3), "normalizeColumns", steps + 1,
                                  "The tree of " + lab::count(launch.block.x, "thread") + " has " +
                                      lab::count(steps, "step") +
                                      ". The barrier before a step\nalso ends the step "
                                      "before it.");
    hazards::expectStoredOnce("normalizeColumns", trial);
    hazards::expectBarriersNeeded(Todo(3), trial);
    hazards::expectCallsChecked("normalizeColumns", trial);
}
