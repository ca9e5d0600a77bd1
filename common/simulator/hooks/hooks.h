// Entry into the observers for accesses that no compiler announces, such as memcpy in a kernel.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/memory/access.h"

namespace cusim {

struct Worker;

// Reports a load or a store; `place` is a return address into the kernel.
void access(const void* address, std::size_t bytes, AccessKind kind, const void* place);
// The same for one that may be of the caller's own variables, which then does not count.
void unannounced(const void* address, std::size_t bytes, AccessKind kind, const void* place);

// Hands an access to the observers that want each one; rare.
void noteAccess(Worker& worker, Instruction instruction, std::uintptr_t start, std::size_t offset,
                std::size_t bytes, std::uint32_t array, bool shared);

}  // namespace cusim
