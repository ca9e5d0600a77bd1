// The race check of one host thread: the shared memory of the block that it runs, and device
// memory, within that block and, when the launch has ended, across blocks.
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

    // Before a launch. Sizes of allocations in bytes, by id; cells are made when first needed.
    void begin(std::size_t threadLocalBytes, std::vector<std::size_t> allocationBytes,
               std::uint32_t firstEpoch);

    // Both are true where an access by the same instruction would change nothing but the threads
    // that have been there: see join.
    bool onShared(std::size_t offset, std::size_t bytes, Instruction instruction,
                  const Actor& actor) {
        return shared_->access(offset, bytes, instruction, actor);
    }
    bool onGlobal(std::uint32_t allocation, std::size_t offset, std::size_t bytes,
                  Instruction instruction, const Actor& actor) {
        GlobalCells* cells = global_[allocation].get();
        if (__builtin_expect(!cells, 0)) cells = make(allocation);
        return cells->access(offset, bytes, instruction, actor);
    }
    // These threads, the lowest to the highest, have repeated a read of a word since.
    void joinShared(std::size_t offset, Instruction instruction, std::uint16_t lowest,
                    std::uint16_t highest) {
        shared_->join(offset, instruction, lowest, highest);
    }
    void joinGlobal(std::uint32_t allocation, std::size_t offset, Instruction instruction,
                    std::uint16_t lowest, std::uint16_t highest) {
        global_[allocation]->join(offset, instruction, lowest, highest);
    }

    // At each barrier and at a block's end. `owner` and `start` tell which shared array holds a
    // byte of the thread-local block, and where that array starts.
    void endEpoch(std::uint32_t block, const std::uint16_t* owner,
                  const std::vector<std::size_t>& start);

    RaceLog& log() { return log_; }
    const GlobalCells* cells(std::size_t allocation) const { return global_[allocation].get(); }

  private:
    GlobalCells* make(std::uint32_t allocation);
    void keepSpare(std::unique_ptr<GlobalCells> cells);

    std::unique_ptr<SharedCells> shared_;
    std::vector<std::unique_ptr<GlobalCells>> global_;
    std::vector<std::unique_ptr<GlobalCells>> spare_;  // of freed allocations
    std::vector<std::size_t> globalBytes_;
    std::vector<std::uint32_t> used_;  // allocations with cells, of this launch
    std::uint32_t firstEpoch_ = 1;
    RaceLog log_;
};

// Conflicts between blocks on one allocation: `all` are the cells of the host threads that took
// part, null where one never went there.
void findRacesAcrossBlocks(std::uint32_t allocation,
                           const std::vector<const Races::GlobalCells*>& all, RaceLog& log);

}  // namespace cusim
