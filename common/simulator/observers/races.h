// The race check of one host thread. It covers shared memory of the running block, and device
// memory within that block and, after the launch, across blocks.
#pragma once

#include <memory>
#include <vector>

#include "simulator/observers/race_cells.h"
#include "simulator/observers/race_log.h"

namespace cusim {

class Races {
  public:
    using SharedCells = RaceCells<Party>;
    using GlobalCells = RaceCells<PartyOfBlocks>;

    // Begins a launch. `allocationBytes` are sizes by id; cells are made when first needed.
    void begin(std::size_t threadLocalBytes, std::vector<std::size_t> allocationBytes,
               std::uint32_t firstEpoch);

    void onShared(std::size_t offset, std::size_t bytes, Instruction instruction,
                  const Actor& actor) {
        shared_->access(offset, bytes, instruction, actor);
    }
    void onGlobal(std::uint32_t allocation, std::size_t offset, std::size_t bytes,
                  Instruction instruction, const Actor& actor) {
        GlobalCells* cells = global_[allocation].get();
        if (__builtin_expect(!cells, 0)) cells = make(allocation);
        cells->access(offset, bytes, instruction, actor);
    }
    // Adds the blocks from lowest to highest, which have made an access in earlier epochs.
    void meetGlobal(std::uint32_t allocation, std::size_t offset, Instruction instruction,
                    std::uint32_t lowest, std::uint32_t highest) {
        GlobalCells* cells = global_[allocation].get();
        if (!cells) cells = make(allocation);
        cells->meet(offset, instruction, lowest, highest);
    }

    // Ends an epoch at each barrier and at a block's end. `owner` is, by byte of the thread-local
    // block, the shared array that holds it; `start` is the offset at which that array starts.
    void endEpoch(std::uint32_t block, const std::uint16_t* owner,
                  const std::vector<std::size_t>& start);
    // Keep and restore the cells of shared memory of a block while others run within its epoch.
    std::unique_ptr<SharedCells> setAside(std::uint32_t block);
    void takeBack(std::unique_ptr<SharedCells> cells);

    // Ends an epoch at a barrier of the grid, which orders all earlier accesses of the blocks: logs
    // the conflicts between them. For a launch on one host thread.
    void endGridPhase(std::uint32_t firstEpoch);

    RaceLog& log() { return log_; }
    const GlobalCells* cells(std::size_t allocation) const { return global_[allocation].get(); }

  private:
    GlobalCells* make(std::uint32_t allocation);
    void keepSpare(std::unique_ptr<GlobalCells> cells);
    void logGlobal(std::uint32_t block);

    std::unique_ptr<SharedCells> shared_;
    std::vector<std::unique_ptr<SharedCells>> spareShared_;  // of this launch
    std::vector<std::unique_ptr<GlobalCells>> global_;
    std::vector<std::unique_ptr<GlobalCells>> spare_;  // of freed allocations
    std::vector<std::size_t> globalBytes_;
    std::vector<std::uint32_t> used_;  // allocations with cells in this launch
    std::uint32_t firstEpoch_ = 1;
    RaceLog log_;
};

// Logs conflicts between blocks on one allocation. `all` are the cells of the host threads that
// took part, null for one that never accessed it.
void findRacesAcrossBlocks(std::uint32_t allocation,
                           const std::vector<const Races::GlobalCells*>& all, RaceLog& log);

}  // namespace cusim
