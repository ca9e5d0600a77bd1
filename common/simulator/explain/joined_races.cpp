#include "simulator/explain/joined_races.h"

#include <algorithm>
#include <string>
#include <utility>

#include "simulator/engine/runtime.h"

namespace cusim {
namespace {

bool holdsWarp(const std::string& remedy) {
    return remedy.find("__syncwarp()") != std::string::npos;
}
bool isAbove(const Finding& race) {
    return !race.others.empty() && race.others[0].file == race.file &&
           race.others[0].line > race.line;
}

}  // namespace

void JoinedRaces::add(Finding finding, bool acrossBlocks, RaceReason reason) {
    const auto cause = std::find_if(all_.begin(), all_.end(), [&](const One& one) {
        const Finding& first = one.finding;
        if (acrossBlocks != one.acrossBlocks || first.kind != finding.kind ||
            reason != one.reason || first.steps->shared != finding.steps->shared ||
            first.steps->array != finding.steps->array)
            return false;
        // A change in two lines: read in one, written in this one.
        const bool sameLine = first.line == finding.line && first.file == finding.file;
        if (sameLine && first.others.empty() && first.remedy == finding.remedy) return true;
        if (acrossBlocks) return false;
        if (first.remedy == finding.remedy && holdsWarp(first.remedy)) return true;
        return options().tolerant && reason == RaceReason::Unordered && isAbove(first) &&
               isAbove(finding) && sameLine;
    });
    if (cause == all_.end()) {
        all_.push_back({std::move(finding), acrossBlocks, reason, {}});
        return;
    }
    cause->finding.count += finding.count;
    cause->moreLines.insert(finding.line);
    for (const Place& place : finding.others) cause->moreLines.insert(place.line);
}

void JoinedRaces::report() {
    for (One& one : all_) {
        Finding& finding = one.finding;
        one.moreLines.erase(finding.line);
        for (const Place& place : finding.others) one.moreLines.erase(place.line);
        std::string lines;
        for (const int line : one.moreLines)
            lines += (lines.empty() ? "" : ", ") + std::to_string(line);
        if (!lines.empty())
            finding.details.push_back("more races of the same cause: with line " + lines);
        Runtime::instance().report(std::move(finding));
    }
}

}  // namespace cusim
