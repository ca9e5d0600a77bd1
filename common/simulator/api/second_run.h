// A launch in which the race check suspects a race runs once more, from the same memory on, so that
// CUDA's memory model decides which accesses are ordered (observers/happens_before.h). Without
// Options::tolerant it only clears plain reads that guess the value for an atomicCAS.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/api/launch_plan.h"
#include "simulator/memory/device_heap.h"
#include "simulator/memory/device_memory.h"
#include "simulator/observers/happens_before.h"

namespace cusim {

// The bytes of all device memory that a kernel may change, and the device's heap.
class MemoryCopy {
  public:
    MemoryCopy();
    void restore() const;
    // Tests whether the memory is as it was.
    bool holds() const;

  private:
    struct Part {
        const Allocation* allocation;
        std::unique_ptr<char[]> bytes;
    };
    std::vector<Part> parts_;
    DeviceHeap::Copy heap_ = DeviceHeap::instance().copy();
};

// Copies the memory before a launch of a kernel with this history: at most 1 GiB, without
// Options::tolerant at most 16 MiB. From the eleventh launch on, copies only if that surely takes
// less time than the launch, or if a race was suspected before.
std::optional<MemoryCopy> copyForSecondRun(LaunchHistory::OfKernel& history, std::uint64_t threads);

// Tests whether a second run may clear one of these.
bool asksForSecondRun(const RaceLog& suspected);

// Runs the launch once more by `run`, from `before` on, and undoes its changes; `run` returns false
// after a failure. If reads race only with stores of one value, runs it in the opposite order, too.
// Returns the races, or `suspected` after a failure.
RaceLog racesInSecondRun(const MemoryCopy& before, RaceLog suspected,
                         const std::function<bool(HappensBefore& order, bool opposite)>& run);

}  // namespace cusim
