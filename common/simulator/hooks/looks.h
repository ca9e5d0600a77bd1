// Rare checks of the hooks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/engine/worker.h"

namespace cusim {

// Begins or continues a run (see observers/runs.h) at an access of 4 bytes. Returns false if the
// checks must see this access. `own` is the instruction's site, or null.
bool follow(Worker& worker, std::uintptr_t address, const void* place, AccessKind kind,
            AccessSite* own);

// Notes which bytes an access uses. A volatile or atomic load uses none: a thread may wait for a
// value by it.
void noteUse(const Worker& worker, ArraySlot& slot, std::size_t offset, std::size_t bytes,
             AccessKind kind);
// Notes which bytes rows use, if uses are noted.
void noteUse(Worker& worker, const Rows& rows, ByteUse how);

// Shows the checks rows of stores that have ended.
void noteStores(Worker& worker, const Rows& rows);

// A function saves its caller's frame address and its return address. Below these it may save
// registers.
constexpr std::uintptr_t kSavedBytes = 16, kSavedRegisters = 6;

// Returns the lowest address at which a function with this frame may save registers.
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

// Refuses a store to a saved return address on the stack. Each frame begins with the address of the
// one above; `frame` is one below all that may be stored to.
void guardReturns(Worker& worker, std::uintptr_t address, std::size_t bytes, const void* place,
                  const void* frame);

}  // namespace cusim
