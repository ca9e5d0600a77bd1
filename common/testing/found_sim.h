#pragma once

#include "simulator/simulator.h"
#include "testing/finding.h"

namespace testing {

// Returns what reports know of a finding of the simulated device.
Finding found(const cusim::Finding& finding);

}  // namespace testing
