#pragma once

#include "simulator/memory/access.h"

namespace cusim {

// Reports a finding if host code at `place` accesses a variable of the device, or memory of both
// sides before it has waited. Ends the program if no kernel can be running on this thread.
void onHostAccess(const void* address, AccessKind kind, const void* place);

}  // namespace cusim
