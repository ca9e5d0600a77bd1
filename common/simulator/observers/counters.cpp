#include "simulator/observers/counters.h"

namespace cusim {

AccessCount& AccessCount::operator+=(const AccessCount& other) {
    loads += other.loads;
    stores += other.stores;
    atomics += other.atomics;
    loadedBytes += other.loadedBytes;
    storedBytes += other.storedBytes;
    return *this;
}

void ElementCounters::begin(std::size_t allocations) { words_.assign(allocations, {}); }

void ElementCounters::onGlobal(std::uint32_t allocation, std::size_t offset, std::size_t bytes,
                               std::size_t allocationBytes, AccessKind kind) {
    Words& words = words_[allocation];
    auto& counts = kind == AccessKind::Load ? words.loads : words.stores;
    if (counts.empty()) counts.assign((allocationBytes + 3) / 4, 0);
    for (std::size_t word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) ++counts[word];
}

void ElementCounters::addTo(std::size_t allocation, ArrayReport& report) const {
    const auto add = [&](const std::vector<std::uint32_t>& from, std::vector<std::uint32_t>& to) {
        to.resize((report.bytes + 3) / 4, 0);
        for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
    };
    add(words_[allocation].loads, report.elementLoads);
    add(words_[allocation].stores, report.elementStores);
}

}  // namespace cusim
