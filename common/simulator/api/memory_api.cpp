// Allocation and copies.
#include "simulator/include/cusim/memory_api.h"

#include <algorithm>
#include <cstring>

#include "simulator/api/copy_checks.h"
#include "simulator/api/pending_copies.h"
#include "simulator/api/unset_output.h"
#include "simulator/engine/device_profile.h"
#include "simulator/engine/host_memory.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/stored_values.h"
#include "simulator/engine/waits.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"
#include "simulator/memory/symbols.h"
#include "simulator/observers/unset_reads.h"

namespace cusim {
namespace {

void remember(void* target, const void* source, bool toDevice) {
    Allocation* const allocation = memory().find(toDevice ? target : source);
    if (!allocation) return;
    if (toDevice) {
        allocation->copiedFrom = source;
        allocation->copiedFromOffset = allocation->offsetOf(target);
        return;
    }
    if (allocation->offsetOf(source) > 0) return;  // see findReceived()
    allocation->copiedTo = target;
    for (LaunchReport& launch : runtime().launches)
        for (ArrayReport& array : launch.arrays)
            if (array.allocation == static_cast<int>(allocation->id) && !array.copiedTo)
                array.copiedTo = target;
}

// Device memory that was never written keeps that mark in copies on the device, and must not be
// copied to the host.
void copyMarks(void* target, const void* source, std::size_t bytes, bool toDevice, bool fromDevice,
               const char* function, const Where& at) {
    Allocation* const to = toDevice ? memory().find(target) : nullptr;
    Allocation* const from = fromDevice ? memory().find(source) : nullptr;
    if (from) noteHostStores(*from);
    std::uint8_t* const toMarks = to && to->marks ? to->marks + to->offsetOf(target) : nullptr;
    std::uint8_t* const fromMarks =
        from && from->marks ? from->marks + from->offsetOf(source) : nullptr;
    // Padding is copied with its members.
    for (std::size_t i = 0; fromMarks && !from->paddings.empty() && i < bytes; ++i)
        if (fromMarks[i] == 0 && from->paddings.has(from->offsetOf(source) + i))
            fromMarks[i] = kWritten;
    if (toMarks && fromMarks)
        std::memmove(toMarks, fromMarks, bytes);
    else if (toMarks)
        Marks::set(toMarks, bytes, kWritten);
    else if (fromMarks && options().unset)
        reportUnsetOutput(function, *from, fromMarks, bytes, at);
    if (from && !to) reportUnsetLocals(function, *from, from->offsetOf(source), bytes, at);
}

cudaError_t checkedCopy(const char* function, void* target, const void* source, std::size_t bytes,
                        cudaMemcpyKind kind, const Where& at) {
    const Runtime::Turn turn;
    bool targetOnDevice = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool sourceOnDevice = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind == cudaMemcpyDefault) {
        targetOnDevice = onDevice(target);
        sourceOnDevice = onDevice(source);
    } else if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
        return runtime().keep(cudaErrorInvalidMemcpyDirection);
    }
    if (bytes == 0) return cudaSuccess;  // whatever the pointers are, as on a card
    auto error = checkSide(function, "target", target, source, bytes, targetOnDevice, at);
    if (error == cudaSuccess)
        error = checkSide(function, "source", source, target, bytes, sourceOnDevice, at);
    if (error != cudaSuccess) return excuseUnset(memory().find(target)), error;
    Allocation* const to = targetOnDevice ? memory().find(target) : nullptr;
    const Allocation* const from = sourceOnDevice ? memory().find(source) : nullptr;
    {
        const DeviceMemory::Access access;
        if (from && !targetOnDevice) keepCopied(*from, source, bytes);
        if (from && !targetOnDevice) keepReceived(*from, source, bytes);
        moveBytes(target, source, bytes);
    }
    noteCopied(to, target, from, source, bytes);
    if (to) to->filledBytes = bytes, to->filledAt = at;
    copyMarks(target, source, bytes, targetOnDevice, sourceOnDevice, function, at);
    if (targetOnDevice != sourceOnDevice) remember(target, source, targetOnDevice);
    return cudaSuccess;
}

// Between host and device, for streamSteps().
void noteCopy(void* target, const void* source, std::size_t bytes, cudaStream_t stream) {
    const auto pinned = [](const Allocation* a) { return a && a->kind == MemoryKind::Pinned; };
    const Allocation *to = memory().find(target), *from = memory().find(source);
    const bool in = to && !pinned(to), out = from && !pinned(from);
    if (in == out) return;
    StreamStep step{in ? StreamStep::CopyIn : StreamStep::CopyOut};
    step.host = in ? source : target;
    step.pinned = pinned(in ? from : to) || runtime().isRegistered(step.host);
    const Allocation& allocation = in ? *to : *from;
    step.allocation = static_cast<int>(allocation.id);
    step.offset = allocation.offsetOf(in ? target : source);
    step.bytes = bytes;
    runtime().note(step, stream);
}

// Notes a copy of so many bytes in a row, and that the host waits for it.
void noteWholeCopy(const char* function, void* target, const void* source, std::size_t bytes,
                   const SymbolCopy& how, const Where& at) {
    noteCopy(target, source, bytes, how.stream);
    notePendingCopy(function, {target, bytes, bytes, 1}, {source, bytes, bytes, 1}, how.kind,
                    how.stream, at);
    if (how.waits) runtime().note({StreamStep::HostWaits}, how.stream);
}

void markWritten(const void* target, std::size_t bytes) {
    if (Allocation* const one = memory().find(target); one && one->marks)
        Marks::set(one->marks + one->offsetOf(target), bytes, kWritten);
}

cudaError_t fill(const char* function, void* target, int value, std::size_t bytes,
                 cudaStream_t stream, const Where& at) {
    const Runtime::Turn turn;
    if (bytes == 0) return cudaSuccess;
    if (const auto e = checkSide(function, "target", target, nullptr, bytes, true, at)) return e;
    const DeviceMemory::Access access;
    std::memset(target, value, bytes);
    Allocation* const allocation = memory().find(target);
    noteCopied(allocation, target, nullptr, nullptr, bytes);
    markWritten(target, bytes);
    if (!allocation) return cudaSuccess;
    allocation->filledBytes = bytes, allocation->filledAt = at;
    StreamStep step{StreamStep::Fill};
    step.byte = static_cast<unsigned char>(value);
    step.allocation = static_cast<int>(allocation->id);
    step.offset = allocation->offsetOf(target);
    step.bytes = bytes;
    runtime().note(step, stream);
    return cudaSuccess;
}

cudaError_t release(const char* function, void* pointer, bool pinned, const Where& at) {
    const Runtime::Turn turn;
    if (const cudaError_t error = runtime().enter(function)) return error;
    if (!pointer) return cudaSuccess;
    Allocation* const allocation = memory().find(pointer);
    const bool start = allocation && allocation->offsetOf(pointer) == 0 &&
                       (allocation->kind == MemoryKind::Pinned) == pinned &&
                       !allocation->isVariable();
    if (allocation && allocation->live && allocation->offsetOf(pointer) == 0 && !start &&
        !allocation->isVariable())
        return runtime().refuse(
            cudaErrorInvalidValue,
            {"invalid-free",
             joined(function, ": ", label(*allocation), " is ", pinned ? "device" : "pinned host",
                    " memory, allocated in line ", allocation->at.line),
             at, joined("Free it with ", pinned ? "cudaFree()." : "cudaFreeHost().")});
    if (!start)
        return runtime().refuse(
            cudaErrorInvalidValue,
            {"invalid-free", joined(function, ": no allocation starts there"), at,
             pinned ? "Pass cudaFreeHost the pointer that cudaMallocHost or cudaHostAlloc gave."
                    : "Pass cudaFree the pointer that cudaMalloc gave, unchanged."});
    if (!allocation->live) {
        Finding finding("double-free",
                        joined(function, ": ", label(*allocation), " is freed twice"), at,
                        "Free each allocation once. If one of the two lines is meant for another "
                        "array, change its name.",
                        {"first freed at " + text(allocation->freedAt)});
        finding.others = {allocation->freedAt};
        return runtime().refuse(cudaErrorInvalidValue, finding);
    }
    if (allocation->hostMayAccess())
        keepReceived(*allocation, reinterpret_cast<const void*>(allocation->base),
                     allocation->bytes);
    memory().free(*allocation, at);
    return cudaSuccess;
}

cudaError_t copySymbol(const char* function, const void* symbol, std::size_t bytes,
                       std::size_t offset, const Where& at, void** address,
                       const void* host = nullptr) {
    if (const cudaError_t error = runtime().enter(function)) return error;
    Allocation* const variable = memory().variableAt(symbol);
    if (!variable)
        return runtime().refuse(
            cudaErrorInvalidSymbol,
            {"invalid-symbol", joined(function, ": this is no __device__ or __constant__ variable"),
             at, "Pass the variable itself, not its address or a pointer."});
    if (offset > variable->bytes || bytes > variable->bytes - offset)
        return runtime().refuse(
            cudaErrorInvalidValue,
            {"wild-copy",
             joined(function, ": ", bytes, " bytes do not fit ", variable->name),
             at,
             ifSymbolIsFull(*variable, bytes, offset, host, at),
             {joined(variable->name, " holds ", variable->bytes, " bytes",
                     offset ? joined(", the copy starts at byte ", offset) : "")}});
    *address = reinterpret_cast<char*>(variable->base) + offset;
    return cudaSuccess;
}

}  // namespace

cudaError_t allocate(void** pointer, std::size_t bytes, MemoryKind kind, Where at, bool inStream,
                     cudaStream_t stream) {
    const char* const function = kind == MemoryKind::Device    ? "cudaMalloc"
                                 : kind == MemoryKind::Managed ? "cudaMallocManaged"
                                                               : "cudaMallocHost";
    const Runtime::Turn turn;
    if (const cudaError_t error = runtime().enter(function)) return error;
    if (!pointer)
        return runtime().refuse(
            cudaErrorInvalidValue,
            {"null-pointer",
             joined(function, " gets a null pointer instead of the address of a pointer"), at,
             joined("Pass the address of the pointer, with &: ", function, "(&d_M, bytes).")});
    reportVariable(function, pointer, at);
    *pointer = nullptr;
    if (bytes == 0) return memory().noteEmpty(at), cudaSuccess;
    Allocation* const made = memory().allocate(bytes, kind, at);
    if (!made)
        return runtime().keep(cudaErrorMemoryAllocation, joined(bytes, " bytes are asked for"));
    // The host writes these without a hook; see noteHostStores() for what it leaves unwritten.
    constexpr std::size_t kMostLookedAt = std::size_t{4} << 20;
    if (kind == MemoryKind::Pinned || (kind == MemoryKind::Managed && bytes > kMostLookedAt))
        Marks::set(made->marks, bytes, kWritten);
    *pointer = reinterpret_cast<void*>(made->base);
    if (inStream) notePendingFill("cudaMallocAsync", {*pointer, bytes, bytes, 1}, stream, at);
    return cudaSuccess;
}

cudaError_t copyToSymbol(const void* symbol, const void* source, std::size_t bytes,
                         std::size_t offset, SymbolCopy how, Where at) {
    const Runtime::Turn turn;
    const char* const function = how.waits ? "cudaMemcpyToSymbol" : "cudaMemcpyToSymbolAsync";
    void* target = nullptr;
    if (const auto e = copySymbol("cudaMemcpyToSymbol", symbol, bytes, offset, at, &target, source))
        return e;
    if (const auto e = checkBeside(function, "source", source, target, bytes, how.kind, at))
        return e;
    const DeviceMemory::Access access;
    moveBytes(target, source, bytes);
    const Allocation* const from = onDevice(source) ? memory().find(source) : nullptr;
    noteCopied(memory().find(target), target, from, source, bytes);
    noteWholeCopy(function, target, source, bytes, how, at);
    return cudaSuccess;
}

cudaError_t copyFromSymbol(void* target, const void* symbol, std::size_t bytes, std::size_t offset,
                           SymbolCopy how, Where at) {
    const Runtime::Turn turn;
    const char* const function = how.waits ? "cudaMemcpyFromSymbol" : "cudaMemcpyFromSymbolAsync";
    void* source = nullptr;
    if (const auto e = copySymbol("cudaMemcpyFromSymbol", symbol, bytes, offset, at, &source))
        return e;
    if (const auto e = checkBeside(function, "target", target, source, bytes, how.kind, at))
        return e;
    const DeviceMemory::Access access;
    keepCopied(*memory().find(source), source, bytes);
    moveBytes(target, source, bytes);
    markWritten(target, bytes);
    noteWholeCopy(function, target, source, bytes, how, at);
    return cudaSuccess;
}

cudaError_t symbolAddress(void** pointer, const void* symbol, Where at) {
    if (const auto e = copySymbol("cudaGetSymbolAddress", symbol, 0, 0, at, pointer)) return e;
    memory().variableAt(symbol)->addressGiven = true;
    return cudaSuccess;
}

cudaError_t symbolSize(std::size_t* bytes, const void* symbol, Where at) {
    void* address = nullptr;
    if (const auto e = copySymbol("cudaGetSymbolSize", symbol, 0, 0, at, &address)) return e;
    *bytes = memory().variableAt(symbol)->bytes;
    return cudaSuccess;
}

void registerVariable(void* variable, std::size_t bytes, const char* name, MemoryKind kind,
                      Where at) {
    memory().addVariable(variable, bytes, name, kind, at);
}

void registerVariablesOf(const char* nameOfTemplate, MemoryKind kind, Where at) {
    for (const Variable& one : variablesOfTemplate(nameOfTemplate)) {
        const Allocation* const known = memory().find(one.start);
        if (!known || known->base != reinterpret_cast<std::uintptr_t>(one.start))
            memory().addVariable(one.start, one.bytes, one.name.c_str(), kind, at);
    }
}

}  // namespace cusim

using namespace cusim;

cudaError_t cudaFree(void* pointer, Where at) {
    Waits::instance().hostWaitsForAll();
    return release("cudaFree", pointer, false, at);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream, Where at) {
    const Allocation* const one = memory().find(pointer);
    const std::size_t bytes = one && one->live ? one->bytes : 0;
    notePendingFill("cudaFreeAsync", {pointer, bytes, bytes, 1}, stream, at);
    return release("cudaFree", pointer, false, at);
}

cudaError_t cudaFreeHost(void* pointer, Where at) {
    Waits::instance().hostWaitsForAll();
    return release("cudaFreeHost", pointer, true, at);
}

cudaError_t cudaMemcpy(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind,
                       Where at) {
    if (const cudaError_t error = runtime().enter("cudaMemcpy")) return error;
    if (const auto e = checkedCopy("cudaMemcpy", target, source, bytes, kind, at)) return e;
    noteWholeCopy("cudaMemcpy", target, source, bytes, {kind}, at);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* target, const void* source, std::size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream, Where at) {
    if (const cudaError_t error = runtime().enter("cudaMemcpyAsync")) return error;
    if (const auto e = checkedCopy("cudaMemcpyAsync", target, source, bytes, kind, at)) return e;
    noteWholeCopy("cudaMemcpyAsync", target, source, bytes, {kind, stream, false}, at);
    return cudaSuccess;
}

cudaError_t cudaMemcpy2D(void* target, std::size_t targetPitch, const void* source,
                         std::size_t sourcePitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind, Where at) {
    const cudaError_t error = cudaMemcpy2DAsync(target, targetPitch, source, sourcePitch, width,
                                                height, kind, nullptr, at);
    if (error == cudaSuccess) runtime().note({StreamStep::HostWaits}, nullptr);
    return error;
}

cudaError_t cudaMemcpy2DAsync(void* target, std::size_t targetPitch, const void* source,
                              std::size_t sourcePitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream, Where at) {
    if (const cudaError_t error = runtime().enter("cudaMemcpy2D")) return error;
    if (width > targetPitch || width > sourcePitch)
        return refusePitch(width, height, targetPitch, sourcePitch, at);
    if (const auto e = checkRows(target, targetPitch, source, sourcePitch, width, height, at))
        return e;
    const bool whole = width == targetPitch && width == sourcePitch;
    if (whole) width *= height, height = height > 0;
    for (std::size_t row = 0; row < height; ++row) {
        void* const to = static_cast<char*>(target) + row * targetPitch;
        const void* const from = static_cast<const char*>(source) + row * sourcePitch;
        if (const auto e = checkedCopy("cudaMemcpy2D", to, from, width, kind, at)) return e;
        noteCopy(to, from, width, stream);
        if (Allocation* const filled = memory().find(to)) filled->filledBytes = width * (row + 1);
    }
    notePendingCopy("cudaMemcpy2D", {target, targetPitch, width, height},
                    {source, sourcePitch, width, height}, kind, stream, at);
    return cudaSuccess;
}

cudaError_t cudaMemset(void* target, int value, std::size_t bytes, Where at) {
    const cudaError_t error = cudaMemsetAsync(target, value, bytes, nullptr, at);
    noteFilled(target);
    return error;
}

cudaError_t cudaMemsetAsync(void* target, int value, std::size_t bytes, cudaStream_t stream,
                            Where at) {
    if (const cudaError_t error = runtime().enter("cudaMemset")) return error;
    if (const auto e = fill("cudaMemset", target, value, bytes, stream, at)) return e;
    notePendingFill("cudaMemset", {target, bytes, bytes, 1}, stream, at);
    return cudaSuccess;
}

cudaError_t cudaMemset2D(void* target, std::size_t pitch, int value, std::size_t width,
                         std::size_t height, Where at) {
    const cudaError_t error = cudaMemset2DAsync(target, pitch, value, width, height, nullptr, at);
    noteFilled(target);
    return error;
}

cudaError_t cudaMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream, Where at) {
    if (const cudaError_t error = runtime().enter("cudaMemset2D")) return error;
    if (width > pitch) return runtime().keep(cudaErrorInvalidPitchValue);
    for (std::size_t row = 0; row < height; ++row)
        if (const auto e = fill("cudaMemset2D", static_cast<char*>(target) + row * pitch, value,
                                width, stream, at))
            return e;
    notePendingFill("cudaMemset2D", {target, pitch, width, height}, stream, at);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* freeBytes, std::size_t* totalBytes) {
    *totalBytes = memory().totalBytes();
    *freeBytes = memory().totalBytes() - memory().liveBytes();
    return runtime().enter("cudaMemGetInfo");
}
