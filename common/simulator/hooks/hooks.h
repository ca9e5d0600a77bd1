// Entry into the observers for accesses that no compiler announces, such as memcpy in a kernel.
#pragma once

#include <cstddef>

#include "simulator/memory/access.h"

namespace cusim {

// Reports a load or a store; `place` is a return address into the kernel.
void access(const void* address, std::size_t bytes, AccessKind kind, const void* place);
// The same for one that may be of the caller's own variables, which then does not count.
void unannounced(const void* address, std::size_t bytes, AccessKind kind, const void* place);

}  // namespace cusim
