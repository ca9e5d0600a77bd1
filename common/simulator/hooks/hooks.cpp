// The functions that -fsanitize=thread makes the compiler call before each load and store of a .cu
// file. They replace the sanitizer's own runtime, which is not linked.
#include "simulator/hooks/hooks.h"

#include <cstring>
#include <initializer_list>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/worker.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/explain/host_access.h"
#include "simulator/explain/out_of_bounds.h"
#include "simulator/hooks/in_mode.h"
#include "simulator/hooks/looks.h"
#include "simulator/include/cusim/builtins.h"
#include "simulator/memory/byte_marks.h"
#include "simulator/memory/device_heap.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/symbols.h"

namespace cusim {
namespace {

DeviceMemory& memory = DeviceMemory::instance();
// Copies for the hot path; none changes after the program has started.
const std::uintptr_t deviceBase = memory.base();
const std::size_t deviceBytes = memory.bytes();
const std::uintptr_t codeBase = instructionBase();

// More than the hooks need of a thread's stack below the frame of the first hook.
constexpr std::size_t kBelowHook = 1024;
// The end of a longer copy could overflow the address.
constexpr std::size_t kMostBytes = std::size_t{1} << 40;

#define CUSIM_HOT __attribute__((always_inline)) inline
#define CUSIM_FRAME __builtin_frame_address(0)

// Returns the kind of an access for the check of unset memory: an atomic may only store.
CUSIM_HOT AccessKind toUnset(const Worker& worker, AccessKind kind) {
    const bool stores = !worker.mode.reads || !worker.mode.used;
    return kind == AccessKind::Atomic && stores ? AccessKind::Store : kind;
}

CUSIM_HOT void observeShared(Worker& worker, std::size_t offset, std::uint16_t array,
                             ArraySlot& slot, std::size_t bytes, AccessKind kind,
                             const void* place) {
    if (worker.count) countAccess(slot.count, bytes, kind);
    if (kind != AccessKind::Load) slot.writtenIn = worker.actor.epoch;
    if (__builtin_expect(worker.countSharedElements, 0))
        worker.elements.onAccess(array, offset - slot.start, bytes, slot.bytes, kind);
    const Instruction instruction = instructionOf(place, kind, codeBase);
    if (worker.checkUnset)
        worker.unset.onShared(offset, bytes, toUnset(worker, kind), array, slot.start, instruction,
                              worker.actor);
    bool ofCopy = false;
    if (__builtin_expect(worker.copies.any(), 0)) {
        if (kind == AccessKind::Load) worker.copies.countLoad(worker.actor.thread);
        ofCopy = worker.checkRaces && worker.copies.onAccess(offset, bytes, array, slot.start,
                                                             instruction, worker.actor);
    }
    if (worker.checkRaces && !ofCopy)
        worker.races.onShared(offset, bytes, instruction, worker.actor);
    if (__builtin_expect(worker.logWarps, 0) && kind != AccessKind::Atomic)
        worker.warps.note(worker.actor.thread, instruction, offset, bytes, array, true);
    if (__builtin_expect(worker.noteEach, 0))
        noteAccess(worker, instruction, slot.start + worker.threadLocals, offset - slot.start,
                   bytes, array, true);
}

CUSIM_HOT void observeGlobal(Worker& worker, std::size_t offset, std::uint32_t allocation,
                             ArraySlot& slot, std::size_t bytes, AccessKind kind,
                             const void* place) {
    if (worker.count) countAccess(slot.count, bytes, kind);
    if (kind != AccessKind::Load) slot.writtenIn = worker.actor.epoch;
    if (kind != AccessKind::Load && slot.stored &&
        (kind != AccessKind::Atomic || worker.mode.writes))
        markBytes(slot.stored, offset, bytes);
    if (__builtin_expect(slot.used != nullptr, 0)) noteUse(worker, slot, offset, bytes, kind);
    if (__builtin_expect(worker.countElements, 0))
        worker.elements.onAccess(worker.shared.size() + allocation, offset, bytes, slot.bytes,
                                 kind);
    const bool inBlock =
        kind == AccessKind::Atomic && worker.mode.scope == Scope::Block && worker.mode.writes;
    const Instruction instruction =
        instructionOf(place, kind, codeBase) | (inBlock ? kInBlock : Instruction{0});
    if (worker.checkUnset && slot.marks)
        worker.unset.onGlobal(slot.marks, offset, bytes, toUnset(worker, kind), allocation,
                              instruction, worker.actor);
    if (worker.checkRaces)
        worker.races.onGlobal(allocation, offset, bytes, instruction, worker.actor);
    if (__builtin_expect(worker.logWarps, 0) && kind != AccessKind::Atomic)
        worker.warps.note(worker.actor.thread, instruction, slot.start + offset, bytes, allocation,
                          false);
    if (__builtin_expect(worker.noteEach, 0))
        noteAccess(worker, instruction, slot.start, offset, bytes, allocation, false);
}

// A card refuses an access that is not aligned to its size. `natural` is false for types with a
// weaker alignment, such as a packed structure, which a card accesses in pieces.
CUSIM_HOT bool misaligned(std::uintptr_t address, std::size_t bytes, bool natural) {
    return natural && (address & (bytes - 1)) != 0;
}

// Returns only if the access is forgiven.
void failAccess(Worker& worker, std::uintptr_t address, std::size_t bytes, AccessKind kind,
                bool natural, const void* place) {
    const bool somewhere = address - worker.threadLocals < worker.threadLocalBytes ||
                           memory.find(reinterpret_cast<const void*>(address));
    if (somewhere && misaligned(address, bytes, natural))
        failMisaligned(worker, address, bytes, kind, place);
    if (!isForgiven(worker, address, bytes, kind, place))
        failOutOfBounds(worker, address, bytes, kind, place);
}

// Handles everything except shared arrays and device memory; not inlined, because it is rare.
__attribute__((noinline)) void onOtherAccess(Worker& worker, std::uintptr_t address,
                                             std::size_t bytes, AccessKind kind, bool natural,
                                             const void* place) {
    Allocation* const variable = memory.find(reinterpret_cast<const void*>(address));
    if (variable && variable->holds(address, bytes)) {
        if (variable->kind == MemoryKind::ConstantVariable && kind != AccessKind::Load)
            failWriteToConstant(worker, *variable, place);
        observeGlobal(worker, address - variable->base, variable->id, worker.global[variable->id],
                      bytes, kind, place);
        return;
    }
    // Always allows the launch's copies of the arguments, and the program's constants, such as
    // string literals and tables.
    if (bytes <= worker.argumentBytes && address - worker.arguments <= worker.argumentBytes - bytes)
        return;
    if (kind == AccessKind::Load && isReadOnlyData(address) && isReadOnlyData(address + bytes - 1))
        return;
    if (DeviceHeap::instance().mayHold(address) && !misaligned(address, bytes, natural) &&
        DeviceHeap::instance().holds(address, bytes)) {
        if (worker.count) countAccess(worker.heap, bytes, kind);
        return;
    }
    failAccess(worker, address, bytes, kind, natural, place);
}

// Allows reads of the built-in variables, which are registers on a card. Fails any other access
// outside of the shared arrays.
__attribute__((noinline)) void onOtherThreadLocal(Worker& worker, std::uintptr_t address,
                                                  std::size_t bytes, AccessKind kind, bool natural,
                                                  const void* place) {
    for (const void* variable :
         std::initializer_list<const void*>{&threadIdx, &blockIdx, &blockDim, &gridDim})
        if (kind == AccessKind::Load && bytes <= sizeof threadIdx &&
            address - reinterpret_cast<std::uintptr_t>(variable) <= sizeof threadIdx - bytes)
            return;
    if (isGuard(address - worker.threadLocals, bytes)) return;
    failAccess(worker, address, bytes, kind, natural, place);
}

// Not inlined, so that the path of shared memory keeps its values in registers.
template <AccessKind kind, bool natural>
__attribute__((noinline)) void onGlobalAccess(Worker& worker, std::uintptr_t address,
                                              std::size_t bytes, const void* place) {
    const Allocation* const allocation = memory.atPage(address);
    if (__builtin_expect(!allocation || !allocation->holds(address, bytes) ||
                             misaligned(address, bytes, natural),
                         0))
        return failAccess(worker, address, bytes, kind, natural, place);
    observeGlobal(worker, address - allocation->base, allocation->id, worker.global[allocation->id],
                  bytes, kind, place);
}

template <AccessKind kind, bool natural>
__attribute__((noinline)) void lookAt(Worker& worker, std::uintptr_t address, std::size_t bytes,
                                      const void* place) {
    // The value that a thread reads here, or that of an atomic, may come from such a store.
    if (__builtin_expect(worker.runs.holdsStores(), 0)) worker.runs.flushStores();
    const std::uintptr_t inThreadLocals = address - worker.threadLocals;
    if (inThreadLocals < worker.threadLocalBytes) {
        const std::uint16_t array = worker.sharedOwner[inThreadLocals];
        ArraySlot& slot = worker.shared[array];
        if (__builtin_expect(inThreadLocals - slot.start + bytes > slot.bytes ||
                                 misaligned(address, bytes, natural),
                             0))
            return onOtherThreadLocal(worker, address, bytes, kind, natural, place);
        return observeShared(worker, inThreadLocals, array, slot, bytes, kind, place);
    }
    if (__builtin_expect(address - deviceBase < deviceBytes, 1))
        return onGlobalAccess<kind, natural>(worker, address, bytes, place);
    onOtherAccess(worker, address, bytes, kind, natural, place);
}

// Counts an access to the thread's own stack, which needs no other check: local arrays belong to
// one thread, and the compiler knows their size. Returns false for other memory. `frame` is that of
// the hook, which a load does not need.
template <AccessKind kind, bool natural>
CUSIM_HOT bool onStack(Worker& worker, std::uintptr_t address, std::size_t bytes, const void* place,
                       const void* frame) {
    const std::uintptr_t inStack = address - worker.stackLow;
    if (inStack >= worker.stackBytes || (!natural && bytes > worker.stackBytes - inStack))
        return false;
    const char here = 0;
    worker.noteStack(&here, kBelowHook);
    if (kind != AccessKind::Load && !isInCaller(worker, address, bytes, frame))
        guardReturns(worker, address, bytes, place, frame);
    if (worker.count) countAccess(worker.local, bytes, kind);
    if (__builtin_expect(worker.localIndices.on, 0))
        worker.localIndices.onAccess(instructionOf(place, kind, codeBase),
                                     worker.stackBytes - inStack, worker.actor);
    return true;
}

template <AccessKind kind, bool natural>
CUSIM_HOT void onAccess(const void* pointer, std::size_t bytes, const void* place,
                        const void* frame) {
    Worker* const worker = cusimWorker;
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (!worker) {
        if (__builtin_expect(servesBlocks || variableRange.mayHold(address) ||
                                 registeredRange.mayHold(address) ||
                                 address - deviceBase < deviceBytes,
                             0))
            onHostAccess(pointer, kind, place);
        return;
    }
    if constexpr (!natural)
        if (bytes > kMostBytes) return failAccess(*worker, address, bytes, kind, natural, place);
    if (onStack<kind, natural>(*worker, address, bytes, place, frame)) return;
    lookAt<kind, natural>(*worker, address, bytes, place);
}

// Both replace the hook on the stack; the one of a store has a frame there.
template <AccessKind kind>
__attribute__((noinline)) void onOtherAccess(const void* address, const void* place,
                                             AccessSite* own) {
    const void* const frame = kind == AccessKind::Load ? nullptr : CUSIM_FRAME;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (!cusimWorker || !follow(*cusimWorker, at, place, kind, own))
        onAccess<kind, true>(address, 4, place, frame);
}

// No run begins on a stack. Most accesses that are in no run are there.
template <AccessKind kind>
__attribute__((noinline)) void onNoRun(const void* address, const void* place, AccessSite* own) {
    const void* const frame = kind == AccessKind::Load ? nullptr : CUSIM_FRAME;
    Worker* const worker = cusimWorker;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (worker && onStack<kind, true>(*worker, at, 4, place, frame)) return;
    onOtherAccess<kind>(address, place, own);
}

template <AccessKind kind>
CUSIM_HOT void onWord(void* address, const void* place) {
    AccessSite& site = cusimSites[Runs::siteOf(place)];
    if (!site.isPredicted(reinterpret_cast<std::uintptr_t>(address), place))
        onNoRun<kind>(address, place, nullptr);
}

}  // namespace

void access(const void* address, std::size_t bytes, AccessKind kind, const void* place) {
    if (kind == AccessKind::Load)
        onAccess<AccessKind::Load, false>(address, bytes, place, nullptr);
    else
        onAccess<AccessKind::Store, false>(address, bytes, place, CUSIM_FRAME);
}

void unannounced(const void* address, std::size_t bytes, AccessKind kind, const void* place) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (!cusimWorker || at - cusimWorker->stackLow >= cusimWorker->stackBytes)
        access(address, bytes, kind, place);
    else if (kind == AccessKind::Store)
        guardReturns(*cusimWorker, at, bytes, place, CUSIM_FRAME);
    __asm__ volatile("");  // a tail call would end this frame before
}

void atomicAccess(const void* address, std::size_t bytes, const void* place) {
    const InMode inMode({}, address, place, true);
    onAccess<AccessKind::Atomic, true>(address, bytes, place, CUSIM_FRAME);
}

void atomicAccess(const void* address, std::size_t bytes, const void* place,
                  const AccessMode& mode) {
    const InMode inMode(mode, address, place, mode.reads);
    onAccess<AccessKind::Atomic, true>(address, bytes, place, CUSIM_FRAME);
}

}  // namespace cusim

// The compilers fix the names and signatures (gcc/sanitizer.def; LLVM's ThreadSanitizer pass).
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#define CUSIM_HOOK(name, bytes, kind, natural)                                           \
    void __tsan_##name(void* address) {                                                  \
        cusim::onAccess<cusim::AccessKind::kind, natural>(                               \
            address, bytes, __builtin_return_address(0),                                 \
            cusim::AccessKind::kind == cusim::AccessKind::Load ? nullptr : CUSIM_FRAME); \
    }
// clang may call one hook for the read and the write of a compound assignment.
#define CUSIM_READ_WRITE(bytes)                                                              \
    void __tsan_read_write##bytes(void* address) {                                           \
        const void* const place = __builtin_return_address(0);                               \
        cusim::onAccess<cusim::AccessKind::Load, true>(address, bytes, place, nullptr);      \
        cusim::onAccess<cusim::AccessKind::Store, true>(address, bytes, place, CUSIM_FRAME); \
    }
#define CUSIM_VOLATILE(name, bytes, kind, natural)                                      \
    void __tsan_##name(void* address) {                                                 \
        const cusim::InMode inMode({true}, address, __builtin_return_address(0),        \
                                   cusim::AccessKind::kind == cusim::AccessKind::Load); \
        cusim::onAccess<cusim::AccessKind::kind, natural>(                              \
            address, bytes, __builtin_return_address(0), CUSIM_FRAME);                  \
    }
// The second is called if an access is not the one that its own site predicts (see hear.py).
#define CUSIM_WORD(name, withSite, kind)                                                     \
    void __tsan_##name(void* address) {                                                      \
        cusim::onWord<cusim::AccessKind::kind>(address, __builtin_return_address(0));        \
    }                                                                                        \
    void withSite(void* address, cusim::AccessSite* site) {                                  \
        cusim::onNoRun<cusim::AccessKind::kind>(address, __builtin_return_address(0), site); \
    }
#define CUSIM_HOOKS(bytes)                                             \
    CUSIM_READ_WRITE(bytes)                                            \
    CUSIM_HOOK(unaligned_read##bytes, bytes, Load, false)              \
    CUSIM_HOOK(unaligned_write##bytes, bytes, Store, false)            \
    CUSIM_VOLATILE(volatile_read##bytes, bytes, Load, true)            \
    CUSIM_VOLATILE(volatile_write##bytes, bytes, Store, true)          \
    CUSIM_VOLATILE(unaligned_volatile_read##bytes, bytes, Load, false) \
    CUSIM_VOLATILE(unaligned_volatile_write##bytes, bytes, Store, false)

extern "C" {
CUSIM_WORD(read4, cusimMemRead4, Load)
CUSIM_WORD(write4, cusimMemWrite4, Store)
CUSIM_HOOK(read1, 1, Load, true)
CUSIM_HOOK(read2, 2, Load, true)
CUSIM_HOOK(read8, 8, Load, true)
CUSIM_HOOK(read16, 16, Load, true)
CUSIM_HOOK(write1, 1, Store, true)
CUSIM_HOOK(write2, 2, Store, true)
CUSIM_HOOK(write8, 8, Store, true)
CUSIM_HOOK(write16, 16, Store, true)
CUSIM_HOOKS(1)
CUSIM_HOOKS(2)
CUSIM_HOOKS(4)
CUSIM_HOOKS(8)
CUSIM_HOOKS(16)

void __tsan_read_range(void* address, std::size_t bytes) {
    cusim::onAccess<cusim::AccessKind::Load, false>(address, bytes, __builtin_return_address(0),
                                                    nullptr);
}
void __tsan_write_range(void* address, std::size_t bytes) {
    cusim::onAccess<cusim::AccessKind::Store, false>(address, bytes, __builtin_return_address(0),
                                                     CUSIM_FRAME);
}
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
