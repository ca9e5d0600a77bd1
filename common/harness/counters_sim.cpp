#include "harness/counters.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/text.h"
#include "simulator/model/card_time.h"
#include "simulator/simulator.h"

namespace harness {
namespace {

using cusim::AccessCount;
using cusim::LaunchReport;

constexpr std::size_t kLaunchesShown = 6;
constexpr std::size_t kArraysShown = 12;

std::string extent(const dim3& d) {
    std::string text = std::to_string(d.x) + " x " + std::to_string(d.y);
    if (d.z != 1) text += " x " + std::to_string(d.z);
    return text;
}

std::string row(const std::string& array, const std::string& space, const AccessCount& count) {
    return "  " + left(cutEnd(array, 20), 20) + " " + left(space, 8) + " " +
           right(grouped(count.loads), 14) + " " + right(grouped(count.stores), 14) + " " +
           right(grouped(count.atomics), 14) + "\n";
}

bool used(const AccessCount& count) { return count.loads + count.stores + count.atomics > 0; }

std::string countTable(const LaunchReport& launch) {
    std::string text = "  " + left("array", 20) + " " + left("space", 8) + " " +
                       right("loads", 14) + " " + right("stores", 14) + " " + right("atomics", 14) +
                       "\n";
    std::size_t shown = 0;
    for (const auto& array : launch.arrays) {
        if (shown++ == kArraysShown) {
            text += "  and " + grouped(launch.arrays.size() - kArraysShown) + " more\n";
            break;
        }
        text += row(array.name, cusim::name(array.space), array.count);
    }
    for (int i = 0; i < cusim::kSpaces; ++i)
        if (used(launch.space[i]))
            text += row("total", cusim::name(static_cast<cusim::Space>(i)), launch.space[i]);
    return text;
}

std::string share(std::uint64_t part, std::uint64_t whole) {
    return plain(100.0 * static_cast<double>(part) / static_cast<double>(whole)) + " %";
}

std::string each(std::uint64_t sum, std::uint64_t requests) {
    return plain(static_cast<double>(sum) / static_cast<double>(requests));
}

std::uint64_t blocksOf(const LaunchReport& launch) {
    return std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
}

// Describes requests and divergence of the observed warps.
std::string warpLines(const LaunchReport& launch) {
    const cusim::WarpReport& warps = launch.warps;
    std::string text;
    if (warps.globalRequests > 0)
        text +=
            "  32-byte sectors per global request: " + each(warps.sectors, warps.globalRequests) +
            "; " + share(warps.idealSectors, warps.sectors) + " of their bytes are used\n";
    if (warps.sharedRequests > 0)
        text += "  passes over the banks per shared request: " +
                each(warps.sharedPasses, warps.sharedRequests) + "; 1 without bank conflicts\n";
    if (warps.warps > 0)
        text += "  warps whose threads took different branches: " + grouped(warps.divergentWarps) +
                " of " + grouped(warps.warps) + "\n";
    const std::uint64_t blocks = blocksOf(launch);
    if (!text.empty() && warps.blocks < blocks)
        text += "  (the numbers of warps are from " + grouped(warps.blocks) + " of " +
                grouped(blocks) + " blocks)\n";
    return text;
}

std::string occupancyLine(const LaunchReport& launch) {
    const cusim::Occupancy fit = cusim::occupancy(launch);
    return "  blocks that fit a multiprocessor: " + std::to_string(fit.blocks) + ", limited by " +
           fit.limitedBy +
           "\n  threads that fit with them: " + grouped(static_cast<std::uint64_t>(fit.threads)) +
           " of " + grouped(static_cast<std::uint64_t>(fit.mostThreads)) + "\n";
}

// Returns each launch's time on a card; the operations are divided in proportion to the threads.
std::vector<cusim::ModelledTime> modelledTimes(std::uint64_t flop) {
    double threads = 0;
    for (const LaunchReport& launch : cusim::launches())
        threads += static_cast<double>(launch.threads);
    std::vector<cusim::ModelledTime> times;
    for (const LaunchReport& launch : cusim::launches()) {
        const double share = static_cast<double>(launch.threads) / threads;
        times.push_back(cusim::modelledTime(launch, static_cast<double>(flop) * share));
    }
    return times;
}

// Returns the parts of a modelled time, in microseconds, from the longest down to 0.1.
std::string partLines(const cusim::ModelledTime& time) {
    auto parts = time.parts;
    std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
        return a.microseconds > b.microseconds;
    });
    std::string text, line = "    parts:";
    for (const auto& part : parts) {
        if (part.microseconds < 0.1) continue;
        const std::string word = " " + std::string(part.name) + " " + plain(part.microseconds);
        if (line.size() + word.size() > 78) text += line + "\n", line = "          ";
        line += word + ",";
    }
    line.back() = '\n';
    return text + line;
}

std::string describe(const LaunchReport& launch, const cusim::ModelledTime& time,
                     const std::string& whyNot) {
    std::string text = cutEnd(launch.kernel, 78) + "\n  grid " + extent(launch.grid) + ", block " +
                       extent(launch.block) + ": " + grouped(launch.threads) +
                       (launch.threads == 1 ? " thread\n" : " threads\n");
    if (!launch.completed) text += "  did not finish; these are the counts until it ended\n";
    text += countTable(launch);
    text += warpLines(launch) + occupancyLine(launch);
    text += "  barriers per thread: " + grouped(launch.barriersPerThread) + "\n";
    if (launch.tensorOperations > 0)
        text += "  products by a warp (mma_sync): " + grouped(launch.tensorOperations) + ", with " +
                grouped(launch.tensorFlop) + " operations\n";
    if (!whyNot.empty())
        text += "  modelled time: - (" + whyNot + ")\n";
    else if (!time.parts.empty())
        text += "  modelled on " + std::string(time.card) + ": " + plain(time.microseconds) +
                " us, limited by " + time.limitedBy + "\n" + partLines(time);
    return text;
}

}  // namespace

std::optional<GlobalTraffic> globalTraffic() {
    GlobalTraffic sum;
    for (const LaunchReport& launch : cusim::launches()) {
        sum.loads += launch.global().loads;
        sum.stores += launch.global().stores;
    }
    return sum;
}

std::optional<ModelledRun> modelledRun(const std::string& lab, std::uint64_t flop) {
    if (!whyNoTimes(lab).empty()) return std::nullopt;
    ModelledRun run;
    double longest = 0;
    for (const cusim::ModelledTime& time : modelledTimes(flop)) {
        if (time.parts.empty()) return std::nullopt;
        run.microseconds += time.microseconds;
        if (time.microseconds <= longest) continue;
        longest = time.microseconds;
        run.card = time.card, run.limitedBy = time.limitedBy;
    }
    return longest > 0 ? std::optional(run) : std::nullopt;
}

// Elsewhere a modelled time may be far from a card's: see simulator/model/README.md.
std::string whyNoTimes(const std::string& lab) {
    for (const char* const checked : {"lab1", "lab2", "lab3"})
        if (lab.substr(0, 4) == checked) return "";
    return "it was checked for labs 1 to 3 only";
}

std::pair<const char*, const char*> titleOfTimes() { return {"model", "us"}; }

std::string briefCounts(const std::string& lab, std::uint64_t flop) {
    double requests = 0;
    for (const LaunchReport& launch : cusim::launches())
        requests += static_cast<double>(launch.warps.globalRequests) *
                    static_cast<double>(blocksOf(launch)) /
                    static_cast<double>(std::max<std::uint64_t>(1, launch.warps.blocks));
    const auto modelled = modelledRun(lab, flop);
    return right(grouped(globalTraffic()->loads), 12) + " " +
           right(grouped(static_cast<std::uint64_t>(requests)), 11) + "  " +
           (modelled ? plain(modelled->microseconds) + " us, limited by " + modelled->limitedBy
                     : "-");
}

std::string describeLaunches(const std::string& lab, std::uint64_t flop) {
    const auto& launches = cusim::launches();
    if (launches.empty()) return "No kernel was launched.\n";
    const std::vector<cusim::ModelledTime> times = modelledTimes(flop);
    std::string text;
    for (std::size_t i = 0; i < launches.size() && i < kLaunchesShown; ++i)
        text += (i == 0 ? "" : "\n") + describe(launches[i], times[i], whyNoTimes(lab));
    if (launches.size() > kLaunchesShown)
        text += "\nand " + grouped(launches.size() - kLaunchesShown) + " more launches\n";
    const std::uint64_t loads = globalTraffic()->loads;
    text += "\nCompute-to-global-memory-access ratio: " +
            (loads == 0 ? std::string("no global load")
                        : plain(static_cast<double>(flop) / static_cast<double>(loads))) +
            "\n  multiplications and additions, 2 x j x k x l  " + right(grouped(flop), 17) +
            "\n  global loads                                 " + right(grouped(loads), 18) + "\n";
    return text;
}

std::string traceTo(const std::string& path) { return std::exchange(cusim::options().trace, path); }

}  // namespace harness
