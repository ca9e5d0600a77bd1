// Runs student's host code in a process of its own, a copy of this one in which it can do what it
// likes: it has neither the record nor the device. What it asks of the runtime's functions is done
// here, so that the record holds what the device has seen.
#pragma once

#include "testing/guarded_sim.h"
#include "verdict/host/serving.h"

namespace host {

// The grader takes this exit status for a failure of the machine (see grading/grade/judge.py).
constexpr int kNotServed = 75;

// Calls student code as cusim::guarded does. Its outputs come back from the other process; nothing
// else that it changes does. What it says wrongly becomes a finding.
CallResult call(const lab::Outputs& outputs, const testing::StudentCode& studentCode);

// Waits until the process of the last call has ended, which takes as long as to free its memory: so
// it ends while this one goes on.
void awaitEnd();

}  // namespace host
