// Memory that nothing has written, and what excuses that.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/include/cusim/where.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

// Reports it, if there are such bytes; the `marks` are those of the copied ones. In a program, what
// looks like the unused end of a list is a remark.
void reportUnsetOutput(const char* function, const Allocation& from, const std::uint8_t* marks,
                       std::size_t bytes, const Where& at);

// Reports, in a program without another fault, words that a kernel has stored and that still are,
// or are computed from, what a thread's own memory holds before anything is written. A remark if
// only some of them are: members of a structure may be left unset.
void reportUnsetLocals(const char* function, const Allocation& from, std::size_t offset,
                       std::size_t bytes, const Where& at);

// In a program, takes an array for written whose copy or launch is refused. It may be null.
void excuseUnset(Allocation* array);

// Takes for written what the host has stored into managed memory itself: all up to the end of the
// last page that no longer holds what allocate() filled it with. So the rest of a structure, which
// the host leaves as it is and a kernel copies, is no fault.
void noteHostStores(Allocation& managed);
void noteHostStores();  // into all of it

}  // namespace cusim
