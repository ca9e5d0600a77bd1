#include "simulator/api/second_run.h"

#include <algorithm>
#include <cstring>

#include "simulator/engine/stored_values.h"
#include "simulator/simulator.h"

namespace cusim {
namespace {

// Tests for a plain read beside an atomic. It may only guess the value for a later atomicCAS.
bool mayBeGuess(const RacePair& pair) {
    const auto has = [&](AccessKind kind) {
        return kindOf(pair.first) == kind || kindOf(pair.second) == kind;
    };
    return has(AccessKind::Load) && has(AccessKind::Atomic);
}

// Returns the races of the first run without such reads that the second run has cleared.
RaceLog withoutGuesses(const RaceLog& suspected, const RaceLog& judged) {
    RaceLog left;
    for (const auto& [pair, example] : suspected.races())
        if (!mayBeGuess(pair) || judged.races().count(pair) > 0) left.add(pair, example);
    return left;
}

}  // namespace

MemoryCopy::MemoryCopy() {
    const DeviceMemory::Access access;
    for (const auto& allocation : DeviceMemory::instance().allocations()) {
        if (!allocation->live || allocation->kind == MemoryKind::ConstantVariable) continue;
        parts_.push_back({allocation.get(), std::unique_ptr<char[]>(new char[allocation->bytes])});
        std::memcpy(parts_.back().bytes.get(), reinterpret_cast<const void*>(allocation->base),
                    allocation->bytes);
    }
}

void MemoryCopy::restore() const {
    const DeviceMemory::Access access;
    for (const Part& part : parts_)
        std::memcpy(reinterpret_cast<void*>(part.allocation->base), part.bytes.get(),
                    part.allocation->bytes);
    DeviceHeap::instance().restore(heap_);
    keepSharedWithHost();  // forgets what the repeated run has stored
}

bool MemoryCopy::holds() const {
    const DeviceMemory::Access access;
    const auto same = [](const Part& part) {
        return std::memcmp(reinterpret_cast<const void*>(part.allocation->base), part.bytes.get(),
                           part.allocation->bytes) == 0;
    };
    return std::all_of(parts_.begin(), parts_.end(), same) &&
           DeviceHeap::instance().copy().bytes == heap_.bytes;
}

std::optional<MemoryCopy> copyForSecondRun(LaunchHistory::OfKernel& history,
                                           std::uint64_t threads) {
    if (!options().races) return std::nullopt;
    constexpr std::size_t kMost = std::size_t{1} << 30, kAlways = std::size_t{16} << 20;
    // This many bytes are copied in the least time that a thread takes.
    constexpr std::uint64_t kBytesAThread = 256;
    constexpr int kFirst = 10;
    const std::size_t bytes =
        DeviceMemory::instance().liveBytes() + DeviceHeap::instance().liveBytes();
    const bool cheap = bytes <= kAlways || bytes / kBytesAThread <= threads;
    if (bytes > kMost || (!cheap && !history.suspected && history.copied >= kFirst))
        return std::nullopt;
    if (!options().tolerant && bytes > kAlways) return std::nullopt;
    ++history.copied;
    return MemoryCopy();
}

bool asksForSecondRun(const RaceLog& suspected) {
    const auto& races = suspected.races();
    if (options().tolerant) return !races.empty();
    return options().barriersOrder && std::any_of(races.begin(), races.end(), [](const auto& race) {
               return mayBeGuess(race.first);
           });
}

RaceLog racesInSecondRun(const MemoryCopy& before, RaceLog suspected,
                         const std::function<bool(HappensBefore& order, bool opposite)>& run) {
    const DeviceMemory::Access access;
    const MemoryCopy after;
    before.restore();
    HappensBefore order(suspected);
    if (!run(order, false)) {
        after.restore();
        return suspected;
    }
    RaceLog races = order.races();
    if (options().tolerant && races.has(RaceReason::OneValue)) {
        bool same = after.holds();
        before.restore();
        HappensBefore opposite{RaceLog{}};
        opposite.watch(order.readsOfOneValue());
        // A race that the opposite order does not reverse shows nothing.
        same = same && run(opposite, true) && after.holds() &&
               opposite.gotOthersThan(order.readsOfOneValue());
        if (!same) races.change(RaceReason::OneValue, RaceReason::Unordered);
    }
    after.restore();
    return options().tolerant ? races : withoutGuesses(suspected, races);
}

}  // namespace cusim
