#include "simulator/model/card_time.h"

#include <algorithm>
#include <cmath>

#include "simulator/engine/device_profile.h"
#include "simulator/model/cards.h"

namespace cusim {
namespace {

constexpr double kSector = 32;  // bytes
// Measured on an H200: see README.md. Cycles; bytes a cycle and SM; microseconds.
constexpr double kLatencyOfL1 = 40, kLatencyOfL2 = 270, kLatencyOfMemory = 800;
constexpr double kLatencyOfShared = 30, kBarrier = 40;
constexpr double kBytesOfL2 = 21;
constexpr double kLaunch = 2.5;
// Loads of a thread that are on their way together, as the compiler unrolls loops.
constexpr double kTogether = 8;
constexpr double kShareOfMemory = 0.9;

// What one block does, on average over those that were observed.
struct Block {
    double warps, requests, lines, sectors, ownSectors;
    double sharedRequests, sharedRows;

    explicit Block(const WarpReport& seen) {
        const auto each = [&](std::uint64_t sum) {
            return static_cast<double>(sum) / static_cast<double>(seen.blocks);
        };
        warps = each(seen.warps), requests = each(seen.globalRequests), lines = each(seen.lines);
        sectors = each(seen.sectors), ownSectors = each(seen.blockSectors);
        sharedRequests = each(seen.sharedRequests);
        // Conflicts come on top of the rows that a wide access fills anyway.
        sharedRows = std::max(each(seen.sharedPasses), each(seen.sharedRows));
    }
};

// Returns the bytes that must come from memory or go there: each array's once.
double bytesOfArrays(const LaunchReport& launch, double scale) {
    double bytes = 0;
    for (const ArrayReport& array : launch.arrays) {
        if (array.space != Space::Global) continue;
        const double whole = static_cast<double>(array.bytes);
        bytes += std::min(whole, scale * static_cast<double>(array.count.loadedBytes));
        bytes += std::min(whole, scale * static_cast<double>(array.count.storedBytes));
    }
    return bytes;
}

}  // namespace

ModelledTime modelledTime(const LaunchReport& launch, double flop, std::uint64_t blocks) {
    const Card& card = cardOf(options().profile);
    ModelledTime time{card.name, 0, "", {}};
    if (launch.warps.blocks == 0) return time;
    const cudaDeviceProp& device = deviceProfile(card.profile);
    const auto product = [](const dim3& d) { return double{1} * d.x * d.y * d.z; };
    const double ran = product(launch.grid);
    const double all = blocks ? static_cast<double>(blocks) : ran;
    const Block block(launch.warps);
    const double sms = device.multiProcessorCount, cycles = card.megahertz;
    const double fit = std::max(1, occupancyOn(device, static_cast<int>(product(launch.block)),
                                               launch.staticSharedBytes + launch.dynamicSharedBytes)
                                       .blocks);
    // The SM that has most blocks ends last.
    const double busiest = std::ceil(all / sms), rounds = std::ceil(all / (sms * fit));
    const double warpPasses = 32 / card.accesses;

    const double memory = card.memory * kShareOfMemory;
    const double fromMemory =
        card.cached ? bytesOfArrays(launch, all / ran) : all * block.sectors * kSector;
    const double fromL2 = all * block.ownSectors * kSector;
    // A thread's loads between two barriers are under way together, as far as the compiler unrolls.
    const double barriers = static_cast<double>(launch.barriersPerThread);
    const double requests = block.requests / block.warps;
    const double waits = std::max(std::min(requests, barriers) / 2, requests / kTogether);
    const double missed = block.sectors > 0 ? block.ownSectors / block.sectors : 0;
    const double cold = fromL2 > 0 ? std::min(1.0, fromMemory / fromL2) : 0;
    const double latency = !card.cached
                               ? kLatencyOfMemory
                               : kLatencyOfL1 + missed * (kLatencyOfL2 - kLatencyOfL1 +
                                                          cold * (kLatencyOfMemory - kLatencyOfL2));
    const double path = waits * latency + barriers * kBarrier +
                        block.sharedRequests / block.warps * kLatencyOfShared / kTogether;

    time.parts = {
        {"the launch", kLaunch},
        {"memory", fromMemory / memory},
        {"the L2 cache", card.cached ? fromL2 / (kBytesOfL2 * sms * cycles) : 0},
        {"requests", busiest * block.lines * warpPasses / cycles},
        {"shared memory", busiest * block.sharedRows * warpPasses / cycles},
        {"arithmetic", flop / 2 / all * busiest / card.lanes / cycles},
        {"latency", rounds * path / cycles},
    };
    const auto longest = std::max_element(
        time.parts.begin(), time.parts.end(),
        [](const auto& a, const auto& b) { return a.microseconds < b.microseconds; });
    time.limitedBy = longest->name;
    time.microseconds = longest->microseconds;
    return time;
}

}  // namespace cusim
