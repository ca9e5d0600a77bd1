#include "simulator/observers/local_indices.h"

#include <algorithm>
#include <utility>

namespace cusim {

void LocalIndices::begin(bool isOn) {
    on = isOn;
    sites_.clear();
    found_ = 0;
}

void LocalIndices::onAccess(Instruction instruction, std::uintptr_t fromTop, const Actor& actor) {
    if (std::exchange(block_, actor.block) != actor.block) sites_.clear();
    auto& [places, made] = sites_[instruction];
    if (made.size() <= actor.thread) made.resize(actor.thread + 1U);
    const std::size_t index = made[actor.thread]++;
    if (index == places.size())
        places.push_back(fromTop);
    else if (places[index] != fromTop && found_ == 0)
        found_ = instruction;
}

}  // namespace cusim
