// What the device counted during the last device::run. A real device counts nothing here; which
// of the two implementations is linked decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace harness {

struct GlobalTraffic {
    std::uint64_t loads = 0, stores = 0;
};

// Global loads and stores of all launches together; nothing on a device that does not count.
std::optional<GlobalTraffic> globalTraffic();

// A small table for each launch, then the compute-to-global-memory-access ratio for this many
// floating-point operations. At most 80 columns; empty on a device that does not count.
std::string describeLaunches(std::uint64_t flop);

}  // namespace harness
