#pragma once

#include "simulator/memory/access.h"

namespace cusim {

// Reports a finding if host code at `place` accesses a variable of the device, or memory of both
// sides before a wait. Ends the program on a thread that runs only kernels.
void onHostAccess(const void* address, AccessKind kind, const void* place);

}  // namespace cusim
