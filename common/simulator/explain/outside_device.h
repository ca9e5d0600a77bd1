// Describes a kernel's access outside of device arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "simulator/findings/finding.h"
#include "simulator/memory/access.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

// Describes an access outside of the blocks of new and malloc in kernels.
void describeHeap(Finding& finding, std::uintptr_t address, std::size_t bytes,
                  const std::string& does);
// Describes an access to a variable of the host, by its mangled name.
void describeVariableOfHost(Finding& finding, const std::string& mangled, AccessKind kind);
// Describes an access to a device variable's copy in host code.
void describeCopyOfHost(Finding& finding, const Allocation& variable, AccessKind kind);
// Tests for an access to the value of a variable as if it were an address, and describes it.
bool isValueOf(const Allocation& variable, std::uintptr_t address);
void describeValue(Finding& finding, const Allocation& variable, std::uintptr_t address,
                   const std::string& does);
// Describes an access to other host memory, or to unmapped memory.
void describeNowhere(Finding& finding, const KernelCall& call, std::uintptr_t address,
                     const std::string& does);

}  // namespace cusim
