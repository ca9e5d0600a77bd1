#include "simulator/model/card_time.h"

#include <algorithm>
#include <cmath>

#include "simulator/engine/device_profile.h"

namespace cusim {
namespace {

constexpr double kSector = 32;  // bytes
// Measured on an H200, see README.md; per cycle or in cycles where nothing else is said.
constexpr double kLaunch = 2.5;           // microseconds
constexpr double kBlocksStarted = 0.86;   // on the whole card
constexpr double kBlock = 1300;           // of a block beside what it waits for: its start and end
constexpr double kMiss = 450, kHit = 40;  // a load that misses the L1 cache, or hits it
constexpr double kBarrier = 40;
constexpr double kTogether = 8;  // loads of a thread under way together, as loops are unrolled
// For each SM. A request to the L2 is for a line: where it wants one of its four sectors, it takes
// as long as for two.
constexpr double kBytesOfL2 = 22, kBytesOfL2BySectors = 12;
constexpr double kConstantPass = 6;
// Shares of the peak that the best kernels reached.
constexpr double kOfMemory = 0.9, kOfRequests = 0.9, kOfArithmetic = 0.75;

// What one block does, on average over those that were observed.
struct Block {
    double warps, requests, lines, sectors, ownSectors, rows, constantPasses;

    explicit Block(const WarpReport& seen) {
        const auto each = [&](std::uint64_t sum) {
            return static_cast<double>(sum) / static_cast<double>(seen.blocks);
        };
        warps = each(seen.warps), requests = each(seen.globalRequests), lines = each(seen.lines);
        sectors = each(seen.sectors), ownSectors = each(seen.blockSectors);
        rows = each(seen.sharedRows), constantPasses = each(seen.constantPasses);
    }

    // Returns the cycles for which a warp of it waits, were it alone. A thread's loads are under
    // way together as far as the compiler unrolls, but none with those after a barrier; together
    // they take as long as one that misses, where there is one.
    double waits(double barriers, double loads, bool cached) const {
        const double each = loads * requests / warps;
        const double missed = sectors > 0 && cached ? ownSectors / sectors : 1;
        const double times = std::max(std::min(each, barriers), each / kTogether);
        const double misses = times > 0 ? 1 - std::pow(1 - missed, each / times) : 0;
        return times * (kHit + misses * (kMiss - kHit)) + barriers * kBarrier;
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

ModelledTime modelledTime(const LaunchReport& launch, double flop, std::uint64_t blocks,
                          const Card& card) {
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
    const double bytes =
        card.cached ? bytesOfArrays(launch, all / ran) : all * block.sectors * kSector;
    const double bytesOfL2 = card.cached ? all * block.ownSectors * kSector : 0;
    const double pass = 32 / card.accesses / cycles;

    time.parts = {
        {"requests", busiest * block.lines * pass / kOfRequests},
        {"shared memory", busiest * block.rows * pass},
        {"constant memory", busiest * block.constantPasses * kConstantPass / cycles},
        {"arithmetic", flop / 2 / all * busiest / (card.lanes * kOfArithmetic) / cycles},
    };
    const auto longest = [&] {
        return *std::max_element(time.parts.begin(), time.parts.end(),
                                 [](auto& a, auto& b) { return a.microseconds < b.microseconds; });
    };
    // Blocks of one SM work while others wait, but a block alone does one after the other.
    const AccessCount& global = launch.global();
    const double loads = static_cast<double>(global.loads) /
                         std::max(1.0, static_cast<double>(global.loads + global.stores));
    const double alone =
        (kBlock + block.waits(static_cast<double>(launch.barriersPerThread), loads, card.cached)) /
            cycles +
        longest().microseconds / busiest;
    time.parts.push_back({"latency", rounds * alone});
    time.parts.push_back({"starting blocks", all / kBlocksStarted / cycles});
    time.parts.push_back({"memory", bytes / card.memory / kOfMemory});
    const double rateOfL2 =
        std::min(kBytesOfL2, kBytesOfL2BySectors * block.sectors / std::max(1.0, block.lines));
    time.parts.push_back(
        {"the L2 cache", bytesOfL2 > 0 ? bytesOfL2 / (rateOfL2 * sms * cycles) : 0});
    time.microseconds = kLaunch + longest().microseconds;
    time.parts.push_back({"the launch", kLaunch});
    time.limitedBy = longest().name;
    return time;
}

}  // namespace cusim
