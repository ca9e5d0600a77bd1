// Barriers that a block passed after some of its threads had returned. A device counts those as
// arrived, but they have also skipped what stands before the barrier.
#include <algorithm>
#include <cstring>
#include <vector>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/explain/memory_findings.h"
#include "simulator/findings/coordinates.h"

namespace cusim {

void reportSkippedBarriers(const std::string& kernel, const LaunchConfig& config, int used) {
    std::vector<SkippedBarrier> all;
    for (int w = 0; w < used; ++w)
        for (const SkippedBarrier& one : workers()[w]->runner->skippedBarriers()) {
            const auto found = std::find_if(
                all.begin(), all.end(), [&](const SkippedBarrier& s) { return s.at == one.at; });
            if (found == all.end()) {
                all.push_back(one);
                continue;
            }
            if (one.block < found->block) {
                found->block = one.block;
                found->thread = one.thread;
            }
            found->count += one.count;
        }
    std::sort(all.begin(), all.end(), [](const SkippedBarrier& a, const SkippedBarrier& b) {
        const int files = std::strcmp(a.at.file, b.at.file);
        return files != 0 ? files < 0 : a.at.line < b.at.line;
    });
    for (const SkippedBarrier& one : all) {
        Finding finding(
            "barrier-divergence",
            "threads have ended without coming to this barrier, which all threads must reach",
            one.at.file, one.at.line,
            "Let every thread come to the barrier: put what some must not do into an if, without "
            "a return, and leave the barrier outside of it.");
        finding.kernel = kernel;
        finding.count = one.count;
        finding.details = {"for example thread " + coordinates(one.thread, config.block) +
                               " of block " + coordinates(one.block, config.grid),
                           "blocks passed it " + std::to_string(one.count) +
                               (one.count == 1 ? " time" : " times") +
                               " without all their threads"};
        Runtime::instance().report(std::move(finding));
    }
}

}  // namespace cusim
