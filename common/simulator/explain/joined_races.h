// The races of a launch, those of one cause as one finding.
#pragma once

#include <set>
#include <vector>

#include "simulator/findings/finding.h"
#include "simulator/observers/race_log.h"

namespace cusim {

class JoinedRaces {
  public:
    // Adds a race, to one that is there if what mends that one mends it, too: a __syncwarp() behind
    // each access of a warp; or a barrier behind a line of a program, before the first line that
    // comes too early. Those that are nearer come first.
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
