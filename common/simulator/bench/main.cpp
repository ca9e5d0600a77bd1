// How fast the simulated device is: checked accesses a second, as a Markdown table. The best of
// several runs, since other work on the machine can only slow a run down.
#include <algorithm>
#include <cstdio>

#include "simulator/bench/bench.h"
#include "simulator/simulator.h"

namespace {

// Million accesses a second.
double rate(bool useTiles, int Width, bool count, int workers) {
    cusim::options().count = true;
    cusim::reset();
    runBenchKernel(useTiles, Width);
    const cusim::LaunchReport& counted = cusim::launches().back();
    const auto accesses = static_cast<double>(counted.global().loads + counted.global().stores +
                                              counted.shared().loads + counted.shared().stores);
    cusim::options().count = count;
    cusim::options().workers = workers;
    double best = 1e30;
    for (int i = 0; i < 5; ++i) {
        cusim::reset();
        runBenchKernel(useTiles, Width);
        best = std::min(best, cusim::launches().back().seconds);
    }
    return accesses / best / 1e6;
}

}  // namespace

int main() {
    std::printf("Million checked accesses a second (bounds are always checked):\n\n");
    std::printf("| kernel | Width | checks | 1 core | all cores | gain |\n");
    std::printf("|---|---|---|---|---|---|\n");
    for (const bool useTiles : {false, true})
        for (const int Width : {128, 256, 512})
            for (const bool count : {false, true}) {
                const double one = rate(useTiles, Width, count, 1);
                const double all = rate(useTiles, Width, count, 0);
                std::printf("| %s | %d | %s | %.0f | %.0f | %.2f |\n",
                            useTiles ? "tiled 16 x 16" : "naive", Width,
                            count ? "bounds, counters" : "bounds", one, all, all / one);
            }
}
