#include "simulator/api/pending_copies.h"

#include <memory>
#include <utility>
#include <vector>

#include "simulator/engine/runtime.h"
#include "simulator/engine/waits.h"
#include "simulator/memory/device_memory.h"

namespace cusim {
namespace {

const Allocation* allocationOf(const Rows2D& side) {
    return DeviceMemory::instance().find(side.start);
}

bool isHosts(const Allocation* allocation) {
    return !allocation || allocation->kind == MemoryKind::Pinned;
}

void noteSide(const std::shared_ptr<const Work>& work, const Rows2D& side, bool writes) {
    const Allocation* const allocation = allocationOf(side);
    if (!allocation || !allocation->hasPagesOfHost()) return;
    std::vector<Piece> pieces;
    const std::size_t first = allocation->offsetOf(side.start);
    if (side.pitch == side.width)
        pieces.push_back({first, first + side.width * side.height});
    else
        for (std::size_t at = first; pieces.size() < side.height; at += side.pitch)
            pieces.push_back({at, at + side.width});
    Waits::instance().noteUse(work, *allocation, writes, std::move(pieces));
}

}  // namespace

void notePendingCopy(const char* function, const Rows2D& target, const Rows2D& source,
                     cudaMemcpyKind kind, cudaStream_t stream, const Where& at) {
    if (!options().waits || target.width == 0 || target.height == 0) return;
    const Runtime::Turn turn;
    const Allocation *const to = allocationOf(target), *const from = allocationOf(source);
    const bool toPageable = !to && !Runtime::instance().isRegistered(target.start);
    if (toPageable || kind == cudaMemcpyHostToHost || (isHosts(to) && isHosts(from)))
        return Waits::instance().note(Runtime::numbered({StreamStep::HostWaits}, stream));
    const auto work =
        Waits::instance().begin(function, at, Runtime::numbered({StreamStep::CopyIn}, stream));
    noteSide(work, target, true);
    noteSide(work, source, false);
}

void notePendingFill(const char* function, const Rows2D& target, cudaStream_t stream,
                     const Where& at) {
    if (!options().waits || target.width == 0 || target.height == 0) return;
    const Runtime::Turn turn;
    noteSide(Waits::instance().begin(function, at, Runtime::numbered({StreamStep::Fill}, stream)),
             target, true);
}

void noteFilled(const void* target) {
    const Allocation* const allocation = DeviceMemory::instance().find(target);
    if (allocation && allocation->hostMayAccess()) Waits::instance().note({StreamStep::HostWaits});
}

}  // namespace cusim
