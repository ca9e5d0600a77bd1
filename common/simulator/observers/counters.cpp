#include "simulator/observers/counters.h"

namespace cusim {

AccessCount& AccessCount::operator+=(const AccessCount& other) {
    for (const auto field : {&AccessCount::loads, &AccessCount::stores, &AccessCount::atomics,
                             &AccessCount::loadedBytes, &AccessCount::storedBytes})
        this->*field += other.*field;
    return *this;
}

void ElementCounters::begin(std::size_t arrays) { words_.assign(arrays, {}); }

void ElementCounters::onAccess(std::size_t array, std::size_t offset, std::size_t bytes,
                               std::size_t arrayBytes, AccessKind kind) {
    Words& words = words_[array];
    auto& counts = kind == AccessKind::Load ? words.loads : words.stores;
    if (counts.empty()) counts.assign((arrayBytes + 3) / 4, 0);
    for (std::size_t word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) ++counts[word];
}

void ElementCounters::addTo(std::size_t array, ArrayReport& report) const {
    const auto add = [&](const std::vector<std::uint32_t>& from, std::vector<std::uint32_t>& to) {
        to.resize((report.bytes + 3) / 4, 0);
        for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
    };
    add(words_[array].loads, report.elementLoads);
    add(words_[array].stores, report.elementStores);
}

}  // namespace cusim
