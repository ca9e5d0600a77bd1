// Explains a forbidden access: past the end of an array, through a host pointer, through a null
// pointer, into freed memory. Called once, when the access ends the block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "simulator/engine/worker.h"
#include "simulator/findings/finding.h"
#include "simulator/include/cusim/launch.h"
#include "simulator/memory/access.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

// Gives a finding the remedy for a negative index: the variable or the loop that is below 0, if the
// source shows it.
void explainNegative(Finding& finding, const KernelCall& call);
// Finds an access outside of its array in Options::forgiven, once for all threads of a launch.
Worker::Outside lookedUp(const std::string& access);
// Tests whether the running thread may continue after it.
bool isForgiven(const Worker::Outside& outside);
// Does the same for the access at `place`, and lends the memory that it reaches.
bool isForgiven(Worker& worker, std::uintptr_t address, std::size_t bytes, AccessKind kind,
                const void* place);
[[noreturn]] void failOutOfBounds(Worker& worker, std::uintptr_t address, std::size_t bytes,
                                  AccessKind kind, const void* place);
[[noreturn]] void failMisaligned(Worker& worker, std::uintptr_t address, std::size_t bytes,
                                 AccessKind kind, const void* place);
[[noreturn]] void failWriteToConstant(Worker& worker, const Allocation& variable,
                                      const void* place);
// Reports a store that overwrites a saved return address or frame address.
[[noreturn]] void failOverwrittenReturn(Worker& worker, const void* place);

}  // namespace cusim
