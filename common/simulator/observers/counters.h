// Counts loads, stores and atomics by memory space and by array. Each host thread counts on its
// own; a launch adds them up at its end, so that the sums do not depend on who ran what.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/core/access.h"
#include "simulator/simulator.h"

namespace cusim {

class Counters {
  public:
    // Before a launch: how many allocations and shared arrays there are.
    void begin(std::size_t allocations, std::size_t sharedArrays);

    void onGlobal(std::uint32_t allocation, std::size_t bytes, AccessKind kind) {
        add(global_[allocation], bytes, kind);
    }
    void onShared(std::uint16_t array, std::size_t bytes, AccessKind kind) {
        add(shared_[array], bytes, kind);
    }
    void onLocal(std::size_t bytes, AccessKind kind) { add(local_, bytes, kind); }
    void onBarrier() { ++barriers_; }

    // Adds this host thread's counts of one array to a report.
    const AccessCount& global(std::size_t allocation) const { return global_[allocation]; }
    const AccessCount& shared(std::size_t array) const { return shared_[array]; }
    const AccessCount& local() const { return local_; }
    std::uint64_t barriers() const { return barriers_; }

  private:
    static void add(AccessCount& count, std::size_t bytes, AccessKind kind) {
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

    std::vector<AccessCount> global_, shared_;
    AccessCount local_;
    std::uint64_t barriers_ = 0;
};

// How often each 4-byte word of each allocation was loaded and stored. Costs memory and time, so
// it is off unless Options::countElements asks for it.
class ElementCounters {
  public:
    void begin(std::size_t allocations);
    void onGlobal(std::uint32_t allocation, std::size_t offset, std::size_t bytes,
                  std::size_t allocationBytes, AccessKind kind);

    // Adds this host thread's counts to a report's vectors.
    void addTo(std::size_t allocation, ArrayReport& report) const;

  private:
    struct Words {
        std::vector<std::uint32_t> loads, stores;
    };
    std::vector<Words> words_;
};

}  // namespace cusim
