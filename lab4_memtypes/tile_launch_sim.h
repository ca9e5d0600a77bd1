// Reads the simulated device's report of a launch with tiles.
#pragma once

#include "lab4_memtypes/tile_run.h"
#include "testing/lab_sim.h"
#include "testing/role.h"

// Findings that do not change the counts; other tests report them.
inline const std::vector<std::string> kNotAboutCounts = {"race", "unset-output", "unset-read"};

inline std::uint64_t squared(int n) {
    return static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n);
}

// Returns the last call's launch; fails the test where there is none.
inline const cusim::LaunchReport& launchOf(const std::string& todo) {
    if (cusim::launches().empty()) lab::fail("not-launched", "{}: no kernel is launched.", todo);
    return cusim::launches().front();
}

// Returns whether the product is wrong; false where nothing is judged.
inline bool isWrong(const lab::ProductRun& run) {
    if (!testing::judges()) return false;
    const bool exact = matrix::isExact(run.set.spec.pattern, run.set.spec.k);
    return !matrix::compare(run.P, run.set.M, run.set.N, matrix::multiply(run.set.M, run.set.N),
                            exact)
                .passed;
}
