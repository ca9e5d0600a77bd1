// Finds the array that an expression of the source names. An address alone is not enough: below an
// array is the end of another one, or unallocated memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "simulator/explain/index_values.h"
#include "simulator/findings/finding.h"
#include "simulator/include/cusim/launch.h"
#include "simulator/memory/access.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

struct Worker;

// A parameter of the running kernel that is a pointer.
struct PointerParameter {
    std::string name;
    const void* value;
};
// Returns those of the kernel's declaration in the source; none if that is not found.
std::vector<PointerParameter> pointerParameters(const std::string& file, int line,
                                                const KernelCall& call);

struct NamedArray {
    const Allocation* allocation = nullptr;  // null for a shared array
    std::size_t shared = 0;                  // index in SharedMemoryMap, or 0
    std::string parameter = {};              // the kernel's parameter that points to it, or empty
};
std::uintptr_t startOf(const Worker& worker, const NamedArray& array);

// Returns the array that the access at `place` (a return address) means; nothing if the source
// leaves a doubt.
std::optional<NamedArray> arrayNamedAt(const void* place, AccessKind kind, const KernelCall& call);

// Returns the name by which the access is reported, as in "reads M"; empty if there is doubt.
std::string accessOf(const NamedArray& array, AccessKind kind);
// The same for an element at a place in the source.
std::string accessAt(const Place& at, int column, const KernelCall& call);

// Returns what is wrong with a guard before a finding's line that has && instead of ||, or ||
// instead of &&; empty if there is none.
std::string adviceOnGuard(const Finding& finding, const KernelCall& call);

// Returns the value in a thread of a variable of the finding's kernel, if the source determines it.
std::optional<IndexValue> indexValue(const Finding& finding, const KernelCall& call,
                                     const std::string& name, const BuiltIns& thread = {});

// Returns the first variable of the finding's line that is below 0 in the running thread; an empty
// name if the source shows none.
struct NamedValue {
    std::string name;
    IndexValue is;
};
NamedValue negativeValue(const Finding& finding, const KernelCall& call);

// Returns what to do about a variable of the finding's line whose values in one block are partly
// those of the next block; empty if the source shows none.
std::string ifBlocksOverlap(const Finding& finding, const KernelCall& call,
                            const LaunchConfig& config);

// Returns the line that counts a variable of the kernel, if another line declares it; else 0.
int changedAt(const Finding& finding, const KernelCall& call, const std::string& name);

// Returns the whole numbers among the kernel's parameters, and those that the finding's line names.
std::vector<NumberParameter> numbersInKernel(const Finding& finding, const KernelCall& call);
std::vector<NumberParameter> numbersAt(const Finding& finding, const KernelCall& call);

}  // namespace cusim
