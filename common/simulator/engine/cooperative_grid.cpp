#include "simulator/engine/cooperative_grid.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "simulator/observers/happens_before.h"

namespace cusim {

bool CooperativeGrid::run(const LaunchConfig& config, const KernelCall& call,
                          const Schedule& schedule, const std::vector<std::uint32_t>& order) {
    BlockRunner* const own = worker_.runner;
    const std::size_t count = std::size_t{config.grid.x} * config.grid.y * config.grid.z;
    bool good = true;
    for (std::uint64_t turn = 0; good && turn < count; ++turn) {
        blocks_.push_back({std::make_unique<BlockRunner>(worker_, true)});
        Block& block = blocks_.back();
        block.runner->beginLaunch(ofLimit_);
        block.runner->begin(config, call, schedule, order.empty() ? turn : order[turn]);
        block.logsWarps = worker_.logWarps;
        good = runTurn(block, turn);
    }
    while (good && nextRound())
        for (std::uint64_t turn = 0; good && turn < count; ++turn) {
            Block& block = blocks_[turn];
            if (block.ended || (!passed_ && !block.runner->waitsInVain())) continue;
            restoreShared(block);
            good = runTurn(block, turn);
        }
    worker_.runner = own;
    worker_.logWarps = false;
    worker_.unset.endTurns();
    for (const Block& block : blocks_) own->addBarriers(*block.runner);
    return good && failure_.kind.empty();
}

// Runs a block up to a barrier of the grid or its end. Returns false after a failure.
bool CooperativeGrid::runTurn(Block& block, std::uint64_t turn) {
    worker_.runner = block.runner.get();
    worker_.logWarps = block.logsWarps;
    const bool good = block.runner->resume();
    if (std::string text = block.runner->takeOutput(); !text.empty())
        output_.emplace_back(turn, std::move(text));
    block.ended = !block.runner->waitsForGrid() && !block.runner->waitsInVain();
    moved_ |= !block.runner->waitsInVain() || block.runner->moved();
    if (!good) {
        failure_ = block.runner->failure();
        failedTurn_ = turn;
    } else if (!block.ended) {
        worker_.notify(&Observer::leave);
        keepShared(block);
    }
    return good;
}

bool CooperativeGrid::nextRound() {
    const auto waits = [](const Block& block) { return block.runner->waitsInVain(); };
    const auto waiting = std::find_if(blocks_.begin(), blocks_.end(), waits);
    passed_ = false;
    if (waiting == blocks_.end()) return passed_ = passBarrier();
    if (!moved_) {
        failure_ = waiting->runner->endlessWait();
        failedTurn_ = static_cast<std::uint64_t>(waiting - blocks_.begin());
    }
    return std::exchange(moved_, false);
}

// Returns true if all blocks wait for each other, so that they pass; false if all have ended, or
// if some wait for ever.
bool CooperativeGrid::passBarrier() {
    const auto ended = [](const Block& block) { return block.ended; };
    const auto waiting = std::find_if_not(blocks_.begin(), blocks_.end(), ended);
    if (waiting == blocks_.end()) return false;
    if (std::any_of(blocks_.begin(), blocks_.end(), ended)) {
        failure_ = waiting->runner->lostInGrid();
        failedTurn_ = static_cast<std::uint64_t>(waiting - blocks_.begin());
        return false;
    }
    worker_.notify(&Observer::syncGrid);
    if (worker_.checkRaces) {
        for (std::uint32_t id = 0; id < worker_.global.size(); ++id)
            if (worker_.global[id].writtenIn > 0) worker_.runs.flush(id);
        worker_.runs.forget();
        worker_.races.endGridPhase(worker_.nextEpoch);
    }
    worker_.actor.epoch = worker_.nextEpoch++;
    return true;
}

void CooperativeGrid::keepShared(Block& block) {
    block.shared.clear();
    block.marks.clear();
    for (const ArraySlot& array : worker_.shared) {
        const auto* const bytes = reinterpret_cast<char*>(worker_.threadLocals + array.start);
        block.shared.emplace_back(bytes, bytes + array.bytes);
        block.marks.push_back(worker_.unset.marksOf(array.start, array.bytes));
    }
    block.copies = worker_.copies.keep();
    if (block.runner->waitsInVain()) block.epoch = keepEpoch();
}

void CooperativeGrid::restoreShared(Block& block) {
    worker_.copies.restore(std::move(block.copies));
    for (std::size_t i = 0; i < worker_.shared.size(); ++i) {
        const ArraySlot& array = worker_.shared[i];
        std::memcpy(reinterpret_cast<void*>(worker_.threadLocals + array.start),
                    block.shared[i].data(), array.bytes);
        worker_.unset.restore(array.start, block.marks[i]);
    }
    if (block.epoch) restoreEpoch(*std::exchange(block.epoch, std::nullopt));
}

// Ends the running block's turn, but not its epoch, which only a barrier ends.
std::optional<CooperativeGrid::Epoch> CooperativeGrid::keepEpoch() {
    if (!worker_.checkRaces) {
        worker_.endEpoch();
        return std::nullopt;
    }
    worker_.interrupted = false;
    Runs::Held reads = worker_.runs.setAside();
    return Epoch{worker_.actor.epoch, std::move(reads),
                 worker_.races.setAside(worker_.actor.block)};
}

void CooperativeGrid::restoreEpoch(Epoch epoch) {
    worker_.actor.epoch = epoch.number;
    worker_.interrupted = true;
    worker_.runs.takeBack(std::move(epoch.reads));
    worker_.races.takeBack(std::move(epoch.cells));
}

}  // namespace cusim
