#include "simulator/observers/runs.h"

#include <cstring>

#include "simulator/hooks/looks.h"
#include "simulator/memory/byte_marks.h"
#include "simulator/memory/device_memory.h"

namespace cusim {
namespace {

constexpr std::uint8_t kMostLooks = 8;                     // in vain
constexpr std::size_t kMostMarks = std::size_t{64} << 20;  // a search of more takes too long

// Finds the array that holds the address. Returns false for a thread's own memory and for an access
// that must be refused.
bool findArray(const Worker& worker, AccessSite& site, std::uintptr_t address) {
    if (address - worker.stackLow < worker.stackBytes) return false;
    const std::uintptr_t offset = address - worker.threadLocals;
    if (offset < worker.threadLocalBytes) {
        site.array = worker.sharedOwner[offset];
        site.low = worker.threadLocals + worker.shared[site.array].start;
        site.bytes = worker.shared[site.array].bytes;
    } else {
        const Allocation* const found =
            DeviceMemory::instance().find(reinterpret_cast<const void*>(address));
        if (!found || (site.stores && found->kind == MemoryKind::ConstantVariable)) return false;
        site.array = static_cast<std::uint32_t>(worker.shared.size() + found->id);
        site.low = found->base;
        site.bytes = found->bytes;
    }
    return site.inArray(address);
}

// Tests whether no read of the array can find uninitialized bytes.
bool isSet(Worker& worker, std::size_t counter) {
    ArraySlot& slot = worker.slotOf(counter);
    if (slot.allSet || !worker.checkUnset) return true;
    const bool isShared = counter < worker.shared.size();
    if (!isShared && !slot.marks) return slot.allSet = true;
    if (slot.looks == kMostLooks || slot.bytes > kMostMarks) return false;
    if (worker.runs.holdsStores()) worker.runs.flushStores();
    slot.allSet = isShared ? worker.unset.allShared(slot.start, slot.bytes)
                           : Marks::allOf(slot.marks, slot.bytes, kWritten);
    if (!slot.allSet) ++slot.looks;
    return slot.allSet;
}

// Does what follow() does, except for warps.
bool beginOrContinue(Worker& worker, AccessSite& site, std::uintptr_t address, const void* place,
                     AccessKind kind) {
    if (site.place != place) {
        if (site.used() > 0) return false;  // by another instruction
        worker.runs.give(site, place, kind == AccessKind::Store);
    }
    // A run also ends if the site has given up: the hook has counted one access too many.
    if (site.used() > 0) {
        if (worker.runs.continueRun(site, address)) return true;
        worker.runs.endRun(site);
    }
    if (site.gaveUp()) return false;
    if (!site.inArray(address)) worker.runs.endRow(site);
    if ((!site.inArray(address) && !findArray(worker, site, address)) ||
        (site.array >= worker.shared.size() && worker.countElements) ||
        (kind == AccessKind::Load && !isSet(worker, site.array)) ||
        (site.array < worker.shared.size() && worker.copies.any())) {
        site.noteGain(0);
        return false;
    }
    worker.runs.begin(site, address);
    return true;
}

}  // namespace

bool follow(Worker& worker, std::uintptr_t address, const void* place, AccessKind kind,
            AccessSite* own) {
    if (!worker.mayRun) return false;
    // If warps are observed, the student's code must not skip an access by itself.
    AccessSite& site = own && !worker.logWarps ? *own : worker.runs.sites()[Runs::siteOf(place)];
    worker.runs.renew(site);
    if (!worker.logWarps) return beginOrContinue(worker, site, address, place, kind);
    if (!site.isPredicted(address, place) && !beginOrContinue(worker, site, address, place, kind))
        return false;
    const bool isShared = site.array < worker.shared.size();
    worker.warps.note(
        worker.actor.thread, instructionOf(place, kind, instructionBase()),
        isShared ? address - worker.threadLocals : address, 4,
        isShared ? site.array : site.array - static_cast<std::uint32_t>(worker.shared.size()),
        isShared);
    return true;
}

void noteUse(const Worker& worker, ArraySlot& slot, std::size_t offset, std::size_t bytes,
             AccessKind kind) {
    const AccessMode& mode = worker.mode;
    const bool waits = mode.isVolatile || kind == AccessKind::Atomic;
    if (kind == AccessKind::Load || (waits && !mode.writes)) {
        if (!waits) slot.noteUse(ByteUse::Read, offset, bytes);
    } else {
        slot.noteUse(waits ? ByteUse::Update : ByteUse::Write, offset, bytes);
    }
}

void noteUse(Worker& worker, const Rows& rows, ByteUse how) {
    ArraySlot& slot = worker.slotOf(rows.array);
    if (!slot.used) return;
    rows.forEach([&](std::size_t offset, auto...) { slot.noteUse(how, offset, 4); });
}

void noteStores(Worker& worker, const Rows& rows) {
    ArraySlot& slot = worker.slotOf(rows.array);
    const std::uint64_t stores = rows.accesses();
    if (worker.count) {
        slot.count.stores += stores;
        slot.count.storedBytes += 4 * stores;
    }
    slot.writtenIn = worker.actor.epoch;
    const Instruction instruction = rows.instruction(AccessKind::Store);
    const bool isShared = rows.array < worker.shared.size();
    const auto allocation = rows.array - static_cast<std::uint32_t>(worker.shared.size());
    // One loop per check, because many stores need few of them.
    if (slot.stored)
        rows.forEach([&](std::size_t offset, auto...) { slot.stored[offset / 4] = kWholeWord; });
    noteUse(worker, rows, ByteUse::Write);
    std::uint8_t* const marks = isShared ? worker.unset.sharedMarks() : slot.marks;
    if (worker.checkUnset && marks)
        rows.forEach([marks, mark = isShared ? worker.unset.mark() : kWritten](
                         std::size_t offset, auto...) { Marks::set(marks + offset, 4, mark); });
    if (!worker.checkRaces) return;
    const std::uint32_t epoch = worker.actor.epoch;
    rows.forEach([&, actor = Actor{worker.actor.block, epoch, 0, 0}](
                     std::size_t offset, std::uint32_t thread, std::uint32_t) mutable {
        actor.thread = static_cast<std::uint16_t>(thread);
        if (isShared)
            worker.races.onShared(offset, 4, instruction, actor);
        else
            worker.races.onGlobal(allocation, offset, 4, instruction, actor);
    });
}

}  // namespace cusim
