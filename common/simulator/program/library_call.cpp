#include "simulator/include/cusim/library_call.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "simulator/api/device_range.h"
#include "simulator/api/pending_copies.h"
#include "simulator/api/unset_output.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/waits.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"
#include "simulator/observers/unset_reads.h"

namespace cusim {
namespace {

DeviceMemory& memory() { return DeviceMemory::instance(); }
Runtime& runtime() { return Runtime::instance(); }

bool reads(const Operand& one) { return one.use == Use::Read || one.use == Use::Both; }
bool writes(const Operand& one) { return one.use == Use::Write || one.use == Use::Both; }
bool isUsed(const Operand& one) { return one.use != Use::None && one.length > 0 && one.count > 0; }

// Returns the elements from the first to the last.
std::size_t reach(const Operand& one) { return (one.count - 1) * one.apart + one.length; }

// Calls `act` for each piece, with the offset of its first byte and its bytes.
template <class Act>
void forEachPiece(const Operand& one, const Allocation& array, Act act) {
    const std::size_t first = array.offsetOf(one.start);
    if (one.apart == one.length) return act(first, reach(one) * one.element);
    for (std::size_t i = 0; i < one.count; ++i)
        act(first + i * one.apart * one.element, one.length * one.element);
}

Finding outside(const char* function, const Operand& one, const Allocation& array,
                const Where& at) {
    const std::size_t offset = array.offsetOf(one.start);
    return {
        "out-of-bounds",
        joined("out of bounds: ", function, writes(one) ? " writes" : " reads", " past the end of ",
               label(array)),
        at,
        joined(
            "Compare the sizes, leading dimensions and increments of this call with the size in "
            "line ",
            array.at.line,
            ". Check that they match the array as it is stored: BLAS stores a matrix by columns."),
        {joined(one.name, " is ",
                one.length == 1 ? "" : joined(counted(one.count, "column"), " of "),
                counted(one.length == 1 ? one.count : one.length, "element"), ", ", one.apart,
                " apart: ", reach(one), " elements of ", one.element, " bytes"),
         joined(label(array), " holds ", array.bytes / one.element, ", allocated at ",
                text(array.at),
                offset > 0 ? joined("; the call gets its element ", offset / one.element) : "")}};
}

// Returns a finding if an operand is not in memory that a card could use.
std::optional<Finding> misplaced(const char* function, const Operand& one, const Where& at) {
    const auto [array, fault] = rangeOf(one.start, reach(one) * one.element);
    const std::string operand = joined(function, ": ", one.name);
    const auto& empty = memory().toldEmpty();
    switch (fault) {
        case RangeFault::None:
            return std::nullopt;
        case RangeFault::Null:
            return Finding{"null-pointer", operand + " is a null pointer", at,
                           empty.empty() ? "Pass the pointer that cudaMalloc gave, and check that "
                                           "cudaMalloc succeeded."
                                         : kEmpty,
                           empty};
        case RangeFault::Freed:
            return freedFinding(operand, *array, at);
        case RangeFault::HiddenVariable:
            return Finding{"host-pointer", tellHidden(operand, *array), at,
                           "Ask for its address with cudaGetSymbolAddress."};
        case RangeFault::PastEnd:
            return outside(function, one, *array, at);
        case RangeFault::NoArray:
            break;
    }
    return Finding{"host-pointer", operand + " is no device pointer", at,
                   "Pass the pointer that cudaMalloc gave (d_M), not the host's (M), and copy data "
                   "with cudaMemcpy. Check that cudaMalloc set the pointer that is passed."};
}

void tellUnset(const char* function, const Operand& one, const Where& at) {
    Allocation& array = *memory().find(one.start);
    if (!array.marks || !options().unset) return;
    noteHostStores(array);
    const void* unset = nullptr;
    forEachPiece(one, array, [&](std::size_t offset, std::size_t bytes) {
        if (!unset) unset = std::memchr(array.marks + offset, 0, bytes);
    });
    if (!unset) return;
    const auto first =
        static_cast<std::size_t>(static_cast<const std::uint8_t*>(unset) - array.marks);
    runtime().report(
        {"unset-read",
         joined(function, " reads ", label(array), " before it is written"),
         at,
         "Fill all of the memory first, with cudaMemcpy or cudaMemset (sizes are in bytes), or let "
         "a kernel store before it is read.",
         {joined("for example ", elementName(false, array.id, first / 4 * 4), ", as ", one.name)}});
}

void markWritten(const Operand& one) {
    Allocation& array = *memory().find(one.start);
    forEachPiece(one, array, [&](std::size_t offset, std::size_t bytes) {
        if (array.marks) Marks::set(array.marks + offset, bytes, kWritten);
    });
}

Rows2D rowsOf(const Operand& one) {
    return {one.start, one.apart * one.element, one.length * one.element, one.count};
}

}  // namespace

cudaError_t callLibrary(const char* function, const Operand* operands, std::size_t count,
                        void (*call)(void* data), void* data, const Where& at,
                        cudaStream_t stream) {
    const Runtime::Turn turn;
    if (const cudaError_t error = runtime().enter(function)) return error;
    const Operand* const end = operands + count;
    for (const Operand* one = operands; one != end; ++one)
        if (const auto found = isUsed(*one) ? misplaced(function, *one, at) : std::nullopt)
            return runtime().sticky = runtime().refuse(cudaErrorIllegalAddress, *found);
    for (const Operand* one = operands; one != end; ++one)
        if (isUsed(*one) && reads(*one)) tellUnset(function, *one, at);
    const DeviceMemory::Access access;
    call(data);
    for (const Operand* one = operands; one != end; ++one)
        if (isUsed(*one) && writes(*one)) markWritten(*one);
    const auto work =
        Waits::instance().begin(function, at, Runtime::numbered({StreamStep::Launch}, stream));
    for (const Operand* one = operands; one != end; ++one)
        if (isUsed(*one)) noteRows(work, rowsOf(*one), writes(*one));
    return cudaSuccess;
}

cudaError_t passToLibrary(const char* function, const Operand& operand, void* own, bool onDevice,
                          const Where& at, cudaStream_t stream) {
    void* const start = const_cast<void*>(operand.start);
    const auto pass = [&] {
        std::memcpy(reads(operand) ? own : start, reads(operand) ? start : own,
                    operand.length * operand.element);
    };
    if (onDevice) return callLibrary(function, {operand}, pass, at, stream);
    const Runtime::Turn turn;
    const bool ofDevice = memory().inDeviceRange(start);
    if (!start || ofDevice)
        return runtime().refuse(
            cudaErrorInvalidValue,
            {ofDevice ? "host-touches-device" : "null-pointer",
             joined(function, ": ", operand.name,
                    ofDevice ? " is a device pointer, but the pointer mode says host"
                             : " is a null pointer"),
             at,
             "Pass the address of a host variable. Or call cublasSetPointerMode with "
             "CUBLAS_POINTER_MODE_DEVICE, and pass device pointers for all scalars and results."});
    pass();
    // The host waits for a result that it gets.
    if (writes(operand)) Waits::instance().note(Runtime::numbered({StreamStep::HostWaits}, stream));
    return cudaSuccess;
}

void waitForDevice() { Waits::instance().hostWaitsForAll(); }

void reportInvalidArgument(const char* function, const char* what, const Where& at) {
    const Runtime::Turn turn;
    runtime().report({"invalid-argument", joined(function, ": ", what), at,
                      "The call has no effect. It returns CUBLAS_STATUS_INVALID_VALUE: let the "
                      "program check what it returns."});
}

}  // namespace cusim
