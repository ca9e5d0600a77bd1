// Calls into student code on the simulated device. In the usual program each of them happens; in
// the two programs that form a verdict outside of the student's process one of them makes it and
// writes down what came of it, and the other one reads that (see verdict/record/README.md).
#pragma once

#include <functional>

#include "simulator/simulator.h"
#include "testing/outputs.h"

namespace testing {

using StudentCode = std::function<void()>;

// Tests call student code by this, mostly through lab::run, and by nothing else.
cusim::Outcome guarded(const StudentCode& studentCode, const lab::Outputs& outputs);

// What happens in the place of a call; by default the call itself, cusim::guarded.
using Caller = cusim::Outcome (*)(const StudentCode& studentCode, const lab::Outputs& outputs);
void callBy(Caller caller);

// Where output goes that nobody shall see: a descriptor of /dev/null, opened at the first use
// unless somebody has done so before.
extern int nowhere;

}  // namespace testing
