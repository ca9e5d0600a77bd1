// Tests the barriers of the tree reduction.
#include "lab2_tiled/hazards/barriers.h"

TEST_CASE("TODO(3): all threads reach every barrier, and no step is early") {
    hazards::expectSynchronized(Todo(3), hazards::onNormalizeColumns(100, 3));
}

TEST_CASE("TODO(3): one barrier a step, and one after the last, are enough") {
    const hazards::Trial trial = hazards::onNormalizeColumns(100, 3);
    const auto& launch = hazards::countedLaunch(Todo(3), trial);
    std::uint64_t steps = 0;
    for (unsigned kb = launch.block.x / 2; kb > 0; kb /= 2) ++steps;
    hazards::expectNoMoreBarriers(Todo(3), steps + 1,
                                  "The tree of " + lab::count(launch.block.x, "thread") + " has " +
                                      lab::count(steps, "step") +
                                      "; the barrier in front of a step\nalso ends the step "
                                      "before it.");
    hazards::expectStoredOnce("normalizeColumns", trial);
    hazards::expectCallsChecked("normalizeColumns", trial);
}
