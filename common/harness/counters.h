// Counts of the last device::run. The linker chooses the implementation: a real device counts
// nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace harness {

struct GlobalTraffic {
    std::uint64_t loads = 0, stores = 0;
};

// Returns the global loads and stores of all launches together; nothing on a device without counts.
std::optional<GlobalTraffic> globalTraffic();

// Returns a small table for each launch, then the compute-to-global-memory-access ratio for this
// many floating-point operations. At most 80 columns; empty on a device without counts.
std::string describeLaunches(std::uint64_t flop);

// Returns the file to which launches are traced, as TRACE says, and writes the next ones to `path`;
// to no file where that is empty. A device without counts traces nothing.
std::string traceTo(const std::string& path);

}  // namespace harness
