// What a library of NVIDIA's does on the device, and here the host: its arrays are checked as those
// that a kernel accesses.
#pragma once

#include <cstddef>
#include <vector>

#include "cusim/errors.h"
#include "cusim/stream_types.h"
#include "cusim/where.h"

namespace cusim {

enum class Use { None, Read, Write, Both };

// An array that a call gets: `count` pieces of `length` elements, each of which begins `apart`
// elements after the one before.
struct Operand {
    const char* name;  // as the library's manual has it
    const void* start;
    std::size_t element, length, count, apart;
    Use use;
};

// Checks the operands of a call and then makes it, with access to device memory. Reports what is
// wrong, as of a kernel, and returns the error.
cudaError_t callLibrary(const char* function, const Operand* operands, std::size_t count,
                        void (*call)(void* data), void* data, const Where& at, cudaStream_t stream);

template <class Call>
cudaError_t callLibrary(const char* function, const std::vector<Operand>& operands, Call call,
                        const Where& at, cudaStream_t stream) {
    const auto made = [](void* data) { (*static_cast<Call*>(data))(); };
    return callLibrary(function, operands.data(), operands.size(), made, &call, at, stream);
}

// Reads `length` elements of an operand into `own`, or writes them from there; they lie in host
// memory unless `onDevice`.
cudaError_t passToLibrary(const char* function, const Operand& operand, void* own, bool onDevice,
                          const Where& at, cudaStream_t stream);

// Waits for all of the device's work, as when a library's handle is destroyed.
void waitForDevice();

// Reports an argument with which a call makes no sense.
void reportInvalidArgument(const char* function, const char* what, const Where& at);

}  // namespace cusim
