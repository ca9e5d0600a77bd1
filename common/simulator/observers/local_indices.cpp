#include "simulator/observers/local_indices.h"

#include <algorithm>
#include <utility>

namespace cusim {

void LocalIndices::begin(std::size_t phases) {
    on = phases > 0;
    phases_ = phases;
    sites_.clear();
    found_ = changing_ = 0;
}

void LocalIndices::onAccess(Instruction instruction, std::uintptr_t fromTop, const Actor& actor) {
    if (std::exchange(block_, actor.block) != actor.block) endBlock();
    Site& site = sites_[instruction];
    if (site.made.size() <= actor.thread) site.made.resize(actor.thread + 1U);
    const std::size_t index = site.made[actor.thread]++;
    if (index == site.places.size())
        site.places.push_back(fromTop);
    else if (site.places[index] != fromTop && found_ == 0)
        found_ = instruction;
}

// Each phase should access the same elements in the same order. An access outside of the phases is
// left out, because the number of phases does not divide the number of its repeats.
bool LocalIndices::dependsOnPhase(const Places& places) const {
    if (places.size() % phases_ != 0) return false;
    return !std::equal(places.begin() + places.size() / phases_, places.end(), places.begin());
}

void LocalIndices::endBlock() {
    for (auto& [instruction, site] : sites_) {
        if (site.first.empty()) site.first = site.places;
        // A guard may leave out elements at the end of a matrix.
        const bool differs = site.places.size() == site.first.size() && site.places != site.first;
        if (changing_ == 0 && (differs || dependsOnPhase(site.places))) changing_ = instruction;
        site.places.clear();
        site.made.clear();
    }
}

Instruction LocalIndices::changing(LocalIndices& other) {
    endBlock();
    for (const auto& [instruction, site] : sites_) {
        const auto same = other.sites_.find(instruction);
        if (changing_ != 0 || same == other.sites_.end()) continue;
        const Places& places =
            same->second.first.empty() ? same->second.places : same->second.first;
        if (places.size() == site.first.size() && places != site.first) changing_ = instruction;
    }
    return changing_;
}

}  // namespace cusim
