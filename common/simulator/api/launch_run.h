// A run of a plan: its blocks, spread over the host threads, and how they ended.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "simulator/api/launch_plan.h"
#include "simulator/engine/worker.h"
#include "simulator/findings/finding.h"

namespace cusim {

class LaunchRun {
  public:
    // The plan outlives the run.
    explicit LaunchRun(const LaunchPlan& plan) : plan_(plan) {}

    // Runs all blocks on the first `workers` host threads, which startWorkers() has started.
    void onWorkers(int workers);
    // Runs them only on the host thread of this number.
    void onWorker(int number);

    bool completed() const { return failures_.empty(); }
    // Returns the first failure by the blocks' turns, which does not depend on the host. There is
    // one if the run is not completed.
    Finding& failure() { return failures_.begin()->second; }
    // Tests for a block that waits for values that none of its threads stores.
    bool waitsInVain() const { return waitsInVain_; }
    std::uint64_t mostBarriers() const { return mostBarriers_; }
    // Prints what the kernel has printed, block by block.
    void print();

  private:
    void runBlocks(Worker& worker);
    void runSideBySide(Worker& worker);
    void noteBlock(Worker& worker, std::uint64_t turn, bool good);

    const LaunchPlan& plan_;
    std::atomic<std::uint64_t> next_{0};
    std::atomic<std::uint64_t> firstFailed_{UINT64_MAX};
    std::mutex mutex_;
    std::map<std::uint64_t, Finding> failures_;  // by the block's turn
    std::vector<std::pair<std::uint64_t, std::string>> output_;
    std::atomic<std::uint64_t> mostBarriers_{0};
    std::atomic<bool> waitsInVain_{false};
};

}  // namespace cusim
