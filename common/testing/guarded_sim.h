// Calls into student code on the simulated device. The usual program makes each call. Of the two
// programs that judge outside of the student's process, one makes the call and records its result,
// and the other reads that (see verdict/record/README.md).
#pragma once

#include <functional>

#include "simulator/simulator.h"
#include "testing/outputs.h"

namespace testing {

using StudentCode = std::function<void()>;

// Calls student code and returns how it ended. Tests have no other way to it; most take lab::run.
cusim::Outcome guarded(const lab::Outputs& outputs, const StudentCode& studentCode);

// Replaces a call.
using Caller = cusim::Outcome (*)(const lab::Outputs& outputs, const StudentCode& studentCode);
// Makes guarded() use this caller; without one it makes the call itself, by cusim::guarded.
void callBy(Caller caller);

// A descriptor of /dev/null for hidden output; -1 until its first use, unless the program opens it
// earlier.
inline int nowhere = -1;

}  // namespace testing
