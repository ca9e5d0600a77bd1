// Runs student host code in a process of its own, a fork of this one that has neither the record
// nor the device, so that it can do no harm. Its calls of the runtime are executed here, so that
// the record contains what the device has seen.
#pragma once

#include "testing/guarded_sim.h"
#include "verdict/host/serving.h"

namespace host {

// The grader takes this exit status for a failure of the machine (see grading/grade/judge.py).
constexpr int kNotServed = 75;

// Calls student code as cusim::guarded does. Only its outputs come back from the other process.
// Wrong messages become a finding.
CallResult call(const lab::Outputs& outputs, const testing::StudentCode& studentCode);

// Waits until the process of the last call has ended. Freeing its memory takes long, so it ends
// while this process continues.
void awaitEnd();

}  // namespace host
