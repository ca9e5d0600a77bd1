// Looks that a hook seldom takes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/engine/worker.h"

namespace cusim {

// Begins or goes on with a run (see observers/runs.h) at an access of 4 bytes. Returns false if the
// access must be looked at by itself. `own` is the instruction's site, null for one that has none.
bool follow(Worker& worker, std::uintptr_t address, const void* place, AccessKind kind,
            AccessSite* own);

// Notes which bytes an access uses. A load by which a thread may wait for a value, as it is
// volatile or atomic, uses none.
void noteUse(const Worker& worker, ArraySlot& slot, std::size_t offset, std::size_t bytes,
             AccessKind kind);
// Notes which bytes rows use, if uses are noted.
void noteUse(Worker& worker, const Rows& rows, ByteUse how);

// Shows the checks rows of stores that have ended.
void noteStores(Worker& worker, const Rows& rows);

// What a function saves of its caller's: the frame's address, and where it returns to. Below these
// it may save registers.
constexpr std::uintptr_t kSavedBytes = 16, kSavedRegisters = 6;

// Returns where the registers end, downwards, that a function with this frame may save.
inline std::uintptr_t belowSaved(std::uintptr_t frame) {
    return frame - kSavedRegisters * sizeof frame;
}

// Tests for a store to variables of the function that has called the hook, which needs no guard.
inline bool isInCaller(const Worker& worker, std::uintptr_t address, std::size_t bytes,
                       const void* frame) {
    const std::uintptr_t above = *static_cast<const std::uintptr_t*>(frame);
    return address >= reinterpret_cast<std::uintptr_t>(frame) + kSavedBytes &&
           address + bytes <= belowSaved(above) && above < worker.framesEnd();
}

// Refuses a store on the stack where the saved addresses are that functions return to. Each frame
// begins with the address of the one above; `frame` is one below all that may be stored to.
void guardReturns(Worker& worker, std::uintptr_t address, std::size_t bytes, const void* place,
                  const void* frame);

}  // namespace cusim
