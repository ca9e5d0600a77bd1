// Joins the races of a launch that have one cause into one finding.
#pragma once

#include <set>
#include <vector>

#include "simulator/findings/finding.h"
#include "simulator/observers/race_log.h"

namespace cusim {

class JoinedRaces {
  public:
    // Adds a race. It joins an earlier one if the same remedy fixes both: a __syncwarp() after each
    // access of a warp; or, in a program, a barrier after one line and before the first line that
    // comes too early. Add nearer races first.
    void add(Finding finding, bool acrossBlocks, RaceReason reason);
    void report();

  private:
    struct One {
        Finding finding;
        bool acrossBlocks;
        RaceReason reason;
        std::set<int> moreLines;
    };
    std::vector<One> all_;
};

}  // namespace cusim
