// Times one kernel on the simulated device, for bench.py:
//     simulator_bench naive|tiled WIDTH bounds|counters|unset|races|everything WORKERS...
// Each word for checks adds one to those before it. Prints 'accesses N' and 'run WORKERS SECONDS' a
// run. Several numbers of host threads (0: all cores) take turns, so that a change of the machine's
// load affects all of them. With 'once' in their place it runs on one core, once, for
// instructions.py.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "simulator/bench/bench.h"
#include "simulator/simulator.h"

namespace {

constexpr int kLeastRuns = 3, kMostRuns = 7;
constexpr double kEnoughSeconds = 0.7;  // of all runs with one number of host threads
constexpr double kShortestRun = 0.05;   // a shorter run would time the clock and the scheduler

bool choose(const std::string& checks) {
    static const std::vector<std::string> all{"bounds", "counters", "unset", "races", "everything"};
    const auto last = std::find(all.begin(), all.end(), checks);
    const auto has = [&](int check) { return last - all.begin() >= check; };
    cusim::Options& options = cusim::options();
    options.count = has(1);
    options.unset = has(2);
    options.races = has(3);
    options.warps = has(4);
    return last != all.end();
}

double launchOnce(bool useTiles, int Width, int workers) {
    cusim::options().workers = workers;
    cusim::reset();
    return runBenchKernel(useTiles, Width);
}

// Returns the mean of as many launches as one run needs.
double run(bool useTiles, int Width, int workers) {
    double seconds = launchOnce(useTiles, Width, workers);
    const int launches = std::max(1, static_cast<int>(kShortestRun / seconds));
    for (int i = 1; i < launches; ++i) seconds += launchOnce(useTiles, Width, workers);
    return seconds / launches;
}

// Prints the accesses of the last launch. Returns false if it has a finding or did not complete,
// since its time would then mean nothing.
bool printAccesses() {
    const cusim::LaunchReport& launch = cusim::launches().back();
    const std::uint64_t accesses = launch.global().loads + launch.global().stores +
                                   launch.shared().loads + launch.shared().stores;
    std::printf("accesses %s\n", std::to_string(accesses).c_str());
    for (const cusim::Finding& finding : cusim::findings())
        if (finding.kind != "unchecked-launch") {
            std::fputs(cusim::text(finding).c_str(), stderr);
            return false;
        }
    return launch.completed;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() < 4 || (words[0] != "naive" && words[0] != "tiled") || !choose(words[2])) {
        std::fprintf(stderr,
                     "Use: simulator_bench naive|tiled WIDTH "
                     "bounds|counters|unset|races|everything WORKERS...|once\n");
        return 2;
    }
    const bool useTiles = words[0] == "tiled";
    const int Width = std::atoi(words[1].c_str());
    if (words[3] == "once") {
        launchOnce(useTiles, Width, 1);
        return printAccesses() ? 0 : 1;
    }
    std::vector<int> workers;
    for (std::size_t i = 3; i < words.size(); ++i) workers.push_back(std::atoi(words[i].c_str()));

    // The first launch warms up; the rates use its counts.
    choose("everything");
    launchOnce(useTiles, Width, 0);
    if (!printAccesses()) return 1;
    choose(words[2]);

    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kMostRuns; ++i) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        if (i >= kLeastRuns &&
            passed.count() > kEnoughSeconds * static_cast<double>(workers.size()))
            break;
        for (const int count : workers)
            std::printf("run %d %.6f\n", count, run(useTiles, Width, count));
    }
}
