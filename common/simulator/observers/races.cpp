#include "simulator/observers/races.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace cusim {

void Races::begin(std::size_t threadLocalBytes, std::vector<std::size_t> allocationBytes,
                  std::uint32_t firstEpoch) {
    firstEpoch_ = firstEpoch;
    if (!shared_) shared_ = std::make_unique<SharedCells>(threadLocalBytes);
    shared_->begin(firstEpoch);
    spareShared_.clear();
    if (global_.size() < allocationBytes.size()) global_.resize(allocationBytes.size());
    for (std::size_t id = 0; id < global_.size(); ++id) {
        // A freed allocation has no bytes, and its id is never reused.
        const std::size_t bytes = id < allocationBytes.size() ? allocationBytes[id] : 0;
        if (bytes == 0)
            keepSpare(std::move(global_[id]));
        else if (global_[id])
            global_[id]->begin(firstEpoch);
    }
    globalBytes_ = std::move(allocationBytes);
    used_.clear();
    for (std::size_t id = 0; id < global_.size(); ++id)
        if (global_[id]) used_.push_back(static_cast<std::uint32_t>(id));
    log_.clear();
}

// Keeps cells of freed allocations: programs often allocate the same sizes again, and used cells
// cost no page faults.
void Races::keepSpare(std::unique_ptr<GlobalCells> cells) {
    constexpr std::size_t most = 8;
    if (!cells || cells->byByte()) return;
    if (spare_.size() == most) spare_.erase(spare_.begin());
    spare_.push_back(std::move(cells));
}

Races::GlobalCells* Races::make(std::uint32_t allocation) {
    const std::size_t bytes = globalBytes_[allocation];
    const auto spare = std::find_if(spare_.begin(), spare_.end(),
                                    [&](const auto& cells) { return cells->bytes() == bytes; });
    if (spare != spare_.end()) {
        global_[allocation] = std::move(*spare);
        spare_.erase(spare);
    } else {
        global_[allocation] = std::make_unique<GlobalCells>(bytes);
    }
    global_[allocation]->begin(firstEpoch_);
    used_.push_back(allocation);
    return global_[allocation].get();
}

void Races::endEpoch(std::uint32_t block, const std::uint16_t* owner,
                     const std::vector<std::size_t>& start) {
    shared_->endEpoch([&](std::size_t offset, Instruction first, Instruction second,
                          std::uint16_t a, std::uint16_t b) {
        const std::uint16_t array = owner[offset];
        log_.add({true, array, first, second, false},
                 {1, block, block, offset - start[array], a, b});
    });
    logGlobal(block);
}

void Races::logGlobal(std::uint32_t block) {
    for (const std::uint32_t allocation : used_)
        global_[allocation]->endEpoch([&](std::size_t offset, Instruction first, Instruction second,
                                          std::uint16_t a, std::uint16_t b) {
            log_.add({false, allocation, first, second, false}, {1, block, block, offset, a, b});
        });
}

// Cells of device memory stay: if another block uses one, the two blocks race as well.
std::unique_ptr<Races::SharedCells> Races::setAside(std::uint32_t block) {
    logGlobal(block);
    std::unique_ptr<SharedCells> other;
    if (spareShared_.empty()) {
        other = std::make_unique<SharedCells>(shared_->bytes());
        other->begin(firstEpoch_);
    } else {
        other = std::move(spareShared_.back());
        spareShared_.pop_back();
    }
    return std::exchange(shared_, std::move(other));
}

void Races::takeBack(std::unique_ptr<SharedCells> cells) {
    spareShared_.push_back(std::exchange(shared_, std::move(cells)));
}

namespace {

using Places = std::map<std::size_t, std::map<Instruction, PartyOfBlocks>>;

void addParties(Places& places, std::size_t offset, const std::vector<PartyOfBlocks>& parties) {
    auto& here = places[offset];
    for (const PartyOfBlocks& party : parties) {
        const auto [found, isNew] = here.emplace(party.instruction(), party);
        if (isNew) continue;
        found->second.meet(party.lowestBlock);
        found->second.meet(party.highestBlock);
    }
}

// Joins what the host threads saw of each word, each for its part of the grid.
Places suspects(std::vector<const Races::GlobalCells*> all) {
    Places places;
    all.erase(std::remove(all.begin(), all.end(), nullptr), all.end());
    if (all.empty()) return places;
    const bool byByte = std::any_of(
        all.begin(), all.end(), [](const Races::GlobalCells* cells) { return cells->byByte(); });
    // If one of them saw bytes, the words of the others are split into bytes.
    for (const Races::GlobalCells* cells : all) {
        if (!byByte) break;
        const std::size_t width = cells->byByte() ? 1 : 4;
        cells->forEach([&](std::size_t offset, const std::vector<PartyOfBlocks>& parties) {
            for (std::size_t i = offset; i < offset + width; ++i) addParties(places, i, parties);
        });
    }
    if (byByte) return places;
    // Skips most words: only one block uses them, or they are only read.
    Races::GlobalCells::forEachUsed(
        all, [&](std::size_t i, const std::vector<const Races::GlobalCells*>& users) {
            Races::GlobalCells::Visitors visitors;
            for (const Races::GlobalCells* one : users) one->addVisitors(i, visitors);
            if (!visitors.written || visitors.lowestBlock == visitors.highestBlock) return;
            for (const Races::GlobalCells* one : users)
                if (one->used(i)) addParties(places, i * 4, one->parties(i));
        });
    return places;
}

}  // namespace

void findRacesAcrossBlocks(std::uint32_t allocation,
                           const std::vector<const Races::GlobalCells*>& all, RaceLog& log) {
    const Places places = suspects(all);
    // Counts by word, as within a block.
    std::set<std::tuple<std::size_t, Instruction, Instruction>> counted;
    for (const auto& [offset, parties] : places)
        for (auto a = parties.begin(); a != parties.end(); ++a)
            for (auto b = a; b != parties.end(); ++b) {
                const PartyOfBlocks &first = a->second, &second = b->second;
                const bool conflict = mayConflict(first, second);
                if (!conflict && !isInBlock(a->first) && !isInBlock(b->first)) continue;
                const bool oneBlock = first.oneBlock() && second.oneBlock() &&
                                      first.lowestBlock == second.lowestBlock;
                if (oneBlock || !counted.emplace(offset / 4, a->first, b->first).second) continue;
                std::uint32_t block = first.lowestBlock, other = second.lowestBlock;
                if (block == other) other = second.highestBlock;
                if (block == other) block = first.highestBlock;
                RaceExample example{1, block, other, offset, 0, 0};
                if (!conflict) example.reason = RaceReason::NarrowScope;
                log.add({false, allocation, a->first, b->first, true}, example);
            }
}

void Races::endGridPhase(std::uint32_t firstEpoch) {
    for (const std::uint32_t allocation : used_) {
        findRacesAcrossBlocks(allocation, {global_[allocation].get()}, log_);
        global_[allocation]->begin(firstEpoch);
    }
    firstEpoch_ = firstEpoch;
}

}  // namespace cusim
