#include "simulator/observers/read_runs.h"

#include <cstring>

#include "simulator/hooks/looks.h"
#include "simulator/memory/device_memory.h"

namespace cusim {
namespace {

constexpr std::uint8_t kMostLooks = 8;                     // in vain
constexpr std::size_t kMostMarks = std::size_t{64} << 20;  // more take too long to look at

// Finds the array that holds the address. Returns false for a thread's own memory and for what must
// be refused.
bool findArray(const Worker& worker, ReadSite& site, std::uintptr_t address) {
    if (address - worker.stackLow < worker.stackBytes) return false;
    const std::uintptr_t offset = address - worker.threadLocals;
    if (offset < worker.threadLocalBytes) {
        site.array = worker.sharedOwner[offset];
        site.low = worker.threadLocals + worker.shared[site.array].start;
        site.bytes = worker.shared[site.array].bytes;
    } else {
        const Allocation* const found =
            DeviceMemory::instance().find(reinterpret_cast<const void*>(address));
        if (!found) return false;
        site.array = static_cast<std::uint32_t>(worker.shared.size() + found->id);
        site.low = found->base;
        site.bytes = found->bytes;
    }
    return site.inArray(address);
}

// Tests whether no read of the array can find bytes that nothing has written.
bool isSet(Worker& worker, std::size_t counter) {
    ArraySlot& slot = worker.slotOf(counter);
    if (slot.allSet || !worker.checkUnset) return true;
    const bool isShared = counter < worker.shared.size();
    if (!isShared && !slot.marks) return slot.allSet = true;
    if (slot.looks == kMostLooks || slot.bytes > kMostMarks) return false;
    slot.allSet = isShared ? worker.unset.allShared(slot.start, slot.bytes)
                           : Marks::allOf(slot.marks, slot.bytes, kWritten);
    if (!slot.allSet) ++slot.looks;
    return slot.allSet;
}

// Does without warps what follow() does.
bool takeUp(Worker& worker, ReadSite& site, std::uintptr_t address, const void* place) {
    if (site.place != place) {
        if (site.isOpen()) return false;  // of another instruction
        worker.runs.give(site, place);
    }
    if (site.gaveUp()) return false;
    if (site.isOpen()) {
        if (ReadRuns::goOn(site, address)) return true;
        worker.runs.close(site);
    }
    if (!site.inArray(address)) worker.runs.endRow(site);
    if ((!site.inArray(address) && !findArray(worker, site, address)) ||
        !isSet(worker, site.array) || (site.array < worker.shared.size() && worker.copies.any())) {
        site.noteGain(0);
        return false;
    }
    worker.runs.begin(site, address);
    return true;
}

}  // namespace

bool follow(Worker& worker, std::uintptr_t address, const void* place) {
    if (!worker.mayRun) return false;
    ReadSite& site = worker.runs.sites()[ReadRuns::siteOf(place)];
    if (!worker.logWarps) return takeUp(worker, site, address, place);
    if (!site.goesOn(address, place) && !takeUp(worker, site, address, place)) return false;
    const bool isShared = site.array < worker.shared.size();
    worker.warps.note(
        worker.actor.thread, instructionOf(place, AccessKind::Load, instructionBase()),
        isShared ? address - worker.threadLocals : address, 4,
        isShared ? site.array : site.array - static_cast<std::uint32_t>(worker.shared.size()),
        isShared);
    return true;
}

}  // namespace cusim
