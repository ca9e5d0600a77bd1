// Checks one side of a copy: its pointer against the direction, its size against the memory.
// Reports what is wrong, and returns the error of the call.
#pragma once

#include <cstddef>

#include "simulator/engine/runtime.h"
#include "simulator/include/cusim/errors.h"
#include "simulator/include/cusim/memory_api.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

inline DeviceMemory& memory() { return DeviceMemory::instance(); }
inline Runtime& runtime() { return Runtime::instance(); }
inline bool onDevice(const void* pointer) { return memory().inDeviceRange(pointer); }

// For host memory. `role` is "target" or "source".
cudaError_t checkHost(const char* function, const char* role, const void* pointer,
                      std::size_t bytes, const Where& at);

// For either kind; `other` is the other side's pointer, null if the call has only one.
cudaError_t checkSide(const char* function, const char* role, const void* pointer,
                      const void* other, std::size_t bytes, bool wantDevice, const Where& at);

// Checks the other side of a copy to or from a symbol, and the direction.
cudaError_t checkBeside(const char* function, const char* role, const void* pointer,
                        const void* symbol, std::size_t bytes, cudaMemcpyKind kind,
                        const Where& at);

// Refuses a cudaMemcpy2D of more rows than its target or its source holds.
cudaError_t checkRows(const void* target, std::size_t targetPitch, const void* source,
                      std::size_t sourcePitch, std::size_t width, std::size_t height,
                      const Where& at);

// Refuses one whose rows are longer than a pitch.
cudaError_t refusePitch(std::size_t width, std::size_t height, std::size_t targetPitch,
                        std::size_t sourcePitch, const Where& at);

// Reports a device variable that is passed as the place for an address.
void reportVariable(const char* function, const void* pointer, const Where& at);

// Returns what to do about a copy from `host` past the end of a device variable.
std::string ifSymbolIsFull(const Allocation& variable, std::size_t bytes, std::size_t offset,
                           const void* host, const Where& at);

}  // namespace cusim
