// Memory that was never written, and what excuses that.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/include/cusim/where.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

// Reports such bytes, if there are any; `marks` are those of the copied bytes. In a program, bytes
// that look like the unused end of a list are a remark.
void reportUnsetOutput(const char* function, const Allocation& from, const std::uint8_t* marks,
                       std::size_t bytes, const Where& at);

// Reports, in a program without another finding, words that a kernel has stored from a thread's
// uninitialized memory, or computed from it. A remark if only some words are: members of a
// structure may be left unset.
void reportUnsetLocals(const char* function, const Allocation& from, std::size_t offset,
                       std::size_t bytes, const Where& at);

// In a program, marks an array as written if its copy or launch is refused. It may be null.
void excuseUnset(Allocation* array);

// Marks as written what the host has stored into managed memory: everything up to the end of the
// last page that differs from what allocate() filled it with. So it is no error if a kernel copies
// the members of a structure that the host has not set.
void noteHostStores(Allocation& managed);
void noteHostStores();  // into all of it

}  // namespace cusim
