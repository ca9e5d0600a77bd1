#include "simulator/api/launch_uses.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/api/unset_output.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/stored_values.h"
#include "simulator/engine/waits.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/memory/device_memory.h"

namespace cusim {
namespace {

// Returns the bytes of an allocation from the first to the last that workers have used.
Piece takeRange(std::uint32_t allocation, int used) {
    Piece range{SIZE_MAX, 0};
    for (int w = 0; w < used; ++w) {
        ArraySlot& slot = workers()[w]->global[allocation];
        slot.used = nullptr;  // the race check still shows reads
        range.begin = std::min(range.begin, slot.usedWithin.begin);
        range.end = std::max(range.end, slot.usedWithin.end);
    }
    return range;
}

// Returns the allocations to which a kernel's arguments point; null for other arguments.
std::vector<Allocation*> passedTo(const KernelCall& call) {
    std::vector<Allocation*> all;
    const auto* const bytes = static_cast<const std::byte*>(call.arguments);
    for (std::size_t at = 0; at + sizeof(void*) <= call.argumentBytes; at += sizeof(void*)) {
        const void* pointer = nullptr;
        std::memcpy(&pointer, bytes + at, sizeof pointer);
        all.push_back(DeviceMemory::instance().find(pointer));
    }
    return all;
}

}  // namespace

void beginUses() {
    for (const auto& one : DeviceMemory::instance().allocations())
        if (one->live && !one->used && (options().races || one->hostMayAccess()))
            one->used = std::make_unique<UsedBytes>(one->bytes);
}

void noteUses(const LaunchReport& report, const LaunchConfig& config, int used) {
    std::shared_ptr<const Work> work;
    for (const auto& one : DeviceMemory::instance().allocations()) {
        if (!one->used) continue;
        const Piece range = takeRange(one->id, used);
        if (range.begin >= range.end) continue;
        if (report.completed && !work)
            work = Waits::instance().begin("kernel " + report.kernel, report.at,
                                           Runtime::numbered({StreamStep::Launch}, config.stream));
        for (const ByteUse how : {ByteUse::Write, ByteUse::Update, ByteUse::Read}) {
            std::vector<Piece> pieces = one->used->take(how, range);
            if (work) Waits::instance().noteUse(work, *one, how, std::move(pieces));
        }
    }
    changeStored();
    keepSharedWithHost();
}

void excuseArrays(const KernelCall& call) {
    for (Allocation* const one : passedTo(call)) excuseUnset(one);
}

bool hasAddressOfConstant(const KernelCall& call) {
    const std::vector<Allocation*> all = passedTo(call);
    return std::any_of(all.begin(), all.end(), [](const Allocation* one) {
        return one && one->kind == MemoryKind::ConstantVariable;
    });
}

}  // namespace cusim
