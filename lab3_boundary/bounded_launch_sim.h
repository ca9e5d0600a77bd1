// Reads the simulated device's report of a call of boundedMatrixMul.
#pragma once

#include "lab3_boundary/bounded_run.h"
#include "testing/lab_sim.h"

// Findings that do not change the counts; other tests report them.
inline const std::vector<std::string> kNotAboutCounts = {"race", "unset-output", "unset-read"};

// The accesses of each step, outside of arrays as well; other steps can be judged without them.
// The sums have come with the file.
inline const lab::AccessesOfSteps kAccesses = {
    {0, {"reads Mds", "reads Nds"}}, {2, {"reads M"}}, {3, {"reads N"}}, {5, {"writes P"}}};

// Returns the last call's launch; fails the test where there is none.
inline const cusim::LaunchReport& launchOf(const lab::Text& about) {
    return lab::launchOf(about, "boundedMatrixMul launches no kernel.");
}

// Runs the function for its counts alone.
inline lab::ProductRun runForCounts(Shape shape) {
    return runBounded("boundedMatrixMul", lab::integers(shape), kNotAboutCounts);
}
