// Entry into the observers for accesses without a compiler's hook, such as memcpy in a kernel.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/memory/access.h"

namespace cusim {

struct Worker;

// Reports a load or a store; `place` is a return address into the kernel.
void access(const void* address, std::size_t bytes, AccessKind kind, const void* place);
// The same, but accesses to the caller's own variables do not count.
void unannounced(const void* address, std::size_t bytes, AccessKind kind, const void* place);

// Passes an access to the observers of the launch; rare.
void noteAccess(Worker& worker, Instruction instruction, std::uintptr_t start, std::size_t offset,
                std::size_t bytes, std::uint32_t array, bool shared);

}  // namespace cusim
