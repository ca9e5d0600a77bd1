// Runs all blocks of a cooperative launch side by side, so that they can wait for each other. One
// host thread runs them in turn, each until it waits at a barrier of the grid or for values that
// other blocks store. All blocks of a host thread have the same shared arrays, so a block's shared
// memory is saved between its turns, with what the race check knows of the current epoch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/engine/block_runner.h"

namespace cusim {

class CooperativeGrid {
  public:
    // `ofLimit` as in BlockRunner::beginLaunch.
    CooperativeGrid(Worker& worker, double ofLimit) : worker_(worker), ofLimit_(ofLimit) {}

    // Runs the grid; `order` as in Schedule::permutation, or empty. Returns false after a failure.
    bool run(const LaunchConfig& config, const KernelCall& call, const Schedule& schedule,
             const std::vector<std::uint32_t>& order);
    const Finding& failure() const { return failure_; }
    std::uint64_t failedTurn() const { return failedTurn_; }
    // Returns what the blocks have printed, by turn.
    std::vector<std::pair<std::uint64_t, std::string>> takeOutput() { return std::move(output_); }

  private:
    // An epoch, as the race check sees it.
    struct Epoch {
        std::uint32_t number;
        Runs::Held reads;
        std::unique_ptr<Races::SharedCells> cells;
    };
    struct Block {
        std::unique_ptr<BlockRunner> runner;
        std::vector<std::vector<char>> shared = {};  // of each array: its bytes
        std::vector<std::vector<std::uint8_t>> marks = {};
        AsyncCopies::Block copies = {};
        std::optional<Epoch> epoch = {};
        bool logsWarps = false, ended = false;
    };
    bool runTurn(Block& block, std::uint64_t turn);
    bool nextRound();
    bool passBarrier();
    void keepShared(Block& block);
    void restoreShared(Block& block);
    std::optional<Epoch> keepEpoch();
    void restoreEpoch(Epoch epoch);

    Worker& worker_;
    double ofLimit_;
    std::vector<Block> blocks_;
    bool moved_ = false, passed_ = false;  // a block did more than wait; a barrier was passed
    Finding failure_;
    std::uint64_t failedTurn_ = 0;
    std::vector<std::pair<std::uint64_t, std::string>> output_;
};

}  // namespace cusim
