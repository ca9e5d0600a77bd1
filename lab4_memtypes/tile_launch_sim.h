// What the simulated device says about a launch with tiles.
#pragma once

#include "lab4_memtypes/tile_run.h"
#include "simulator/simulator.h"
#include "testing/role.h"

// What has tests of its own and does not change what is counted.
inline const std::vector<std::string> kNotAboutCounts = {"race", "unset-output", "unset-read"};

inline std::uint64_t squared(int n) {
    return static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n);
}

// Of the last call.
inline const cusim::LaunchReport& launchOf(const std::string& todo) {
    if (cusim::launches().empty()) lab::fail("not-launched", todo + ": no kernel is launched.");
    return cusim::launches().front();
}

// Where nothing is judged, nobody asks.
inline bool isWrong(const TileRun& run) {
    if (!testing::judges()) return false;
    const bool exact = matrix::isExact(run.set.spec.pattern, run.set.spec.k);
    return !matrix::compare(run.P, run.set.M, run.set.N, matrix::multiply(run.set.M, run.set.N),
                            exact)
                .passed;
}

// Options of the simulated device that a test may change, put back at its end.
class ChosenOptions {
  public:
    ChosenOptions() = default;
    ChosenOptions(const ChosenOptions&) = delete;
    ChosenOptions& operator=(const ChosenOptions&) = delete;
    ~ChosenOptions() { cusim::options() = before_; }

  private:
    cusim::Options before_ = cusim::options();
};
