// Names the parameter of a kernel that an array is.
#pragma once

#include "simulator/findings/finding.h"
#include "simulator/include/cusim/launch.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

// Adds to a finding about an array which parameter the array is, if their names differ. If another
// parameter has that name, the remedy asks about the order of the launch's arguments; if the launch
// passes the array twice and leaves another one out, it says so.
void tellParameter(Finding& finding, const Allocation& array, const KernelCall& call);

}  // namespace cusim
