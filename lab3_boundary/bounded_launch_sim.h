// What the simulated device says about a call of boundedMatrixMul.
#pragma once

#include "lab3_boundary/bounded_run.h"
#include "simulator/simulator.h"

// What has tests of its own and does not change what is counted.
inline const std::vector<std::string> kNotAboutCounts = {"race", "unset-output", "unset-read"};

// Of the last call.
inline const cusim::LaunchReport& launchOf(const std::string& todo) {
    if (cusim::launches().empty())
        lab::fail("not-launched", todo + ": boundedMatrixMul launches no kernel.");
    return cusim::launches().front();
}

// Counts how often each element is loaded and stored, for as long as it lives.
struct CountElements {
    CountElements() { cusim::options().countElements = true; }
    CountElements(const CountElements&) = delete;
    CountElements& operator=(const CountElements&) = delete;
    ~CountElements() { cusim::options().countElements = false; }
};
