#pragma once

#include "simulator/simulator.h"
#include "testing/finding.h"

namespace testing {

// Returns what reports know of a finding of the simulated device.
inline Finding found(const cusim::Finding& finding) {
    Finding out;
    out.kind = finding.kind;
    out.title = finding.title;
    out.at = {finding.file, finding.line};
    for (const cusim::Place& other : finding.others) out.others.push_back({other.file, other.line});
    out.kernel = finding.kernel;
    if (finding.inThread) {
        out.thread = {finding.thread.x, finding.thread.y, finding.thread.z};
        out.block = {finding.block.x, finding.block.y, finding.block.z};
    }
    out.details = finding.details;
    out.remedy = finding.remedy;
    out.access = finding.access;
    out.causedAt = finding.causedAt;
    return out;
}

}  // namespace testing
