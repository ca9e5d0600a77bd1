// How fast the simulated device is: checked accesses a second, as a Markdown table. The best of
// several runs, since other work on the machine can only slow a run down.
#include <algorithm>
#include <cstdio>

#include "simulator/bench/bench.h"
#include "simulator/simulator.h"

namespace {

struct Checks {
    const char* name;
    bool count, memory;
};
constexpr Checks kChecks[] = {
    {"bounds", false, false}, {"bounds, counters", true, false}, {"everything", true, true}};

// Million accesses a second.
double rate(bool useTiles, int Width, const Checks& checks, int workers) {
    cusim::Options& options = cusim::options();
    options.count = true;
    options.races = options.unset = options.warps = checks.memory;
    options.workers = workers;
    double best = 1e30;
    std::uint64_t accesses = 0;
    for (int i = 0; i < 4; ++i) {
        options.count = checks.count || i == 0;
        cusim::reset();
        runBenchKernel(useTiles, Width);
        const cusim::LaunchReport& launch = cusim::launches().back();
        if (i == 0)
            accesses = launch.global().loads + launch.global().stores + launch.shared().loads +
                       launch.shared().stores;
        else
            best = std::min(best, launch.seconds);
    }
    return static_cast<double>(accesses) / best / 1e6;
}

}  // namespace

int main() {
    std::printf("Million checked accesses a second (bounds are always checked):\n\n");
    std::printf("| kernel | Width | checks | 1 core | all cores | gain |\n");
    std::printf("|---|---|---|---|---|---|\n");
    for (const bool useTiles : {false, true})
        for (const int Width : {128, 256})
            for (const Checks& checks : kChecks) {
                const double one = rate(useTiles, Width, checks, 1);
                const double all = rate(useTiles, Width, checks, 0);
                std::printf("| %s | %d | %s | %.0f | %.0f | %.2f |\n",
                            useTiles ? "tiled 16 x 16" : "naive", Width, checks.name, one, all,
                            all / one);
            }
}
