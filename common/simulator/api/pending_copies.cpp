#include "simulator/api/pending_copies.h"

#include <algorithm>
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

}  // namespace

constexpr std::size_t kMostRows = std::size_t{1} << 16;

void noteRows(const std::shared_ptr<const Work>& work, const Rows2D& rows, bool writes) {
    const Allocation* const allocation = allocationOf(rows);
    const auto [base, bytes] = Runtime::instance().registeredAt(rows.start);
    if (allocation ? !allocation->live : bytes == 0) return;
    std::vector<Piece> pieces;
    const std::size_t first = allocation ? allocation->offsetOf(rows.start)
                                         : reinterpret_cast<std::uintptr_t>(rows.start) - base;
    if (rows.pitch == rows.width)
        pieces.push_back({first, first + rows.width * rows.height});
    else
        for (std::size_t at = first; pieces.size() < std::min(rows.height, kMostRows);
             at += rows.pitch)
            pieces.push_back({at, at + rows.width});
    const ByteUse how = writes ? ByteUse::Write : ByteUse::Read;
    if (allocation)
        Waits::instance().noteUse(work, *allocation, how, std::move(pieces));
    else
        ClosedPages::instance().addRegistered(base, bytes, {work, how, std::move(pieces)});
}

void notePendingCopy(const char* function, const Rows2D& target, const Rows2D& source,
                     cudaMemcpyKind kind, cudaStream_t stream, const Where& at) {
    if (target.width == 0 || target.height == 0) return;
    const Runtime::Turn turn;
    const Allocation *const to = allocationOf(target), *const from = allocationOf(source);
    const bool toPageable = !to && !Runtime::instance().isRegistered(target.start);
    const auto work =
        Waits::instance().begin(function, at, Runtime::numbered({StreamStep::CopyIn}, stream));
    noteRows(work, target, true);
    noteRows(work, source, false);
    if (toPageable || kind == cudaMemcpyHostToHost || (isHosts(to) && isHosts(from)))
        Waits::instance().note(Runtime::numbered({StreamStep::HostWaits}, stream));
}

void notePendingFill(const char* function, const Rows2D& target, cudaStream_t stream,
                     const Where& at) {
    if (target.width == 0 || target.height == 0) return;
    const Runtime::Turn turn;
    noteRows(Waits::instance().begin(function, at, Runtime::numbered({StreamStep::Fill}, stream)),
             target, true);
}

void noteFilled(const void* target) {
    const Allocation* const allocation = DeviceMemory::instance().find(target);
    if (allocation && allocation->hostMayAccess()) Waits::instance().note({StreamStep::HostWaits});
}

}  // namespace cusim
