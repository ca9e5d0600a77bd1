// Counts loads, stores and atomics by array. Each host thread counts on its own, and a launch adds
// the counts, so the sums do not depend on which thread ran which block.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/memory/access.h"
#include "simulator/simulator.h"

namespace cusim {

inline void countAccess(AccessCount& count, std::size_t bytes, AccessKind kind) {
    if (kind == AccessKind::Load) {
        ++count.loads;
        count.loadedBytes += bytes;
    } else if (kind == AccessKind::Store) {
        ++count.stores;
        count.storedBytes += bytes;
    } else {
        ++count.atomics;
    }
}

// Counts how often each 4-byte word of each array was loaded and stored. Costs memory and time, so
// only Options::countElements turns it on. Arrays are numbered with the shared ones first.
class ElementCounters {
  public:
    void begin(std::size_t arrays);
    void onAccess(std::size_t array, std::size_t offset, std::size_t bytes, std::size_t arrayBytes,
                  AccessKind kind);

    // Adds this host thread's counts to a report's vectors.
    void addTo(std::size_t array, ArrayReport& report) const;

  private:
    struct Words {
        std::vector<std::uint32_t> loads, stores;
    };
    std::vector<Words> words_;
};

}  // namespace cusim
