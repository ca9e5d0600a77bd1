#include "simulator/api/launch_counts.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "simulator/engine/worker_pool.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"
#include "simulator/memory/shared_memory.h"

namespace cusim {
namespace {

// Adds the loads, of one 4-byte word each, that runs have counted.
void addLoadsInRuns(AccessCount& count, const Worker& worker, std::size_t counter) {
    if (!worker.count) return;
    count.loads += worker.loadsInRuns[counter];
    count.loadedBytes += 4 * worker.loadsInRuns[counter];
}

void noteIndex(Place& at, Instruction found) {
    if (found != 0) at = placeOf(placeOfInstruction(found));
}

}  // namespace

void addUp(LaunchReport& report, int used) {
    const auto& sharedArrays = SharedMemoryMap::instance().arrays();
    const std::vector<Worker*> all(workers().begin(), workers().begin() + used);
    const auto add = [&](ArrayReport array, bool isShared, std::size_t index) {
        const std::size_t counter = isShared ? index : sharedArrays.size() + index;
        for (const Worker* const worker : all) {
            array.count += (isShared ? worker->shared : worker->global)[index].count;
            addLoadsInRuns(array.count, *worker, counter);
            if (isShared ? options().countSharedElements : options().countElements)
                worker->elements.addTo(counter, array);
            cusim::add(array.warps,
                       isShared ? worker->warps.shared(index) : worker->warps.global(index));
        }
        report.space[static_cast<int>(array.space)] += array.count;
        if (array.count.loads + array.count.stores + array.count.atomics > 0)
            report.arrays.push_back(std::move(array));
    };
    for (const auto& allocation : DeviceMemory::instance().allocations()) {
        ArrayReport array;
        array.name = allocation->name;
        array.allocation = static_cast<int>(allocation->id);
        array.space =
            allocation->kind == MemoryKind::ConstantVariable ? Space::Constant : Space::Global;
        array.bytes = allocation->bytes;
        if (allocation->copiedFromOffset == 0) array.copiedFrom = allocation->copiedFrom;
        array.copiedTo = allocation->copiedTo;
        add(std::move(array), false, allocation->id);
    }
    for (std::size_t i = 1; i < sharedArrays.size(); ++i) {
        ArrayReport array;
        array.name = arrayName(true, static_cast<std::uint32_t>(i));
        array.space = Space::Shared;
        array.bytes = i == 1 ? report.dynamicSharedBytes : sharedArrays[i].bytes;
        add(std::move(array), true, i);
    }
    for (Worker* const worker : all) {
        report.space[static_cast<int>(Space::Local)] += worker->local;
        report.space[static_cast<int>(Space::Global)] += worker->heap;
        report.heap += worker->heap;
        noteIndex(report.threadIndex, worker->localIndices.found());
        noteIndex(report.changingIndex, worker->localIndices.changing(all[0]->localIndices));
        report.async.loadedBytes += worker->copies.count().loadedBytes;
        report.async.overlappedBytes += worker->copies.count().overlappedBytes;
        report.barriers += worker->barriers;
        report.tensorOperations += worker->tensorOperations;
        report.tensorFlop += worker->tensorFlop;
        cusim::add(report.warps, worker->warps.total());
        cusim::add(report.requests, worker->warps.requests());
    }
}

// Uses multiples of the golden ratio, modulo 1.
std::vector<std::uint64_t> warpSample(std::uint64_t blocks) {
    std::vector<std::uint64_t> sample;
    const int asked = options().counts.empty() ? options().warpBlocks : 0;
    if (asked < 0) return sample;
    const auto wanted = static_cast<std::uint64_t>(asked);
    if (wanted == 0 || blocks <= wanted) {
        for (std::uint64_t block = 0; block < blocks; ++block) sample.push_back(block);
        return sample;
    }
    constexpr double ratio = 0.6180339887498949;
    for (std::uint64_t i = 0; i < wanted; ++i) {
        const double part = static_cast<double>(i) * ratio;
        sample.push_back(
            static_cast<std::uint64_t>((part - std::floor(part)) * static_cast<double>(blocks)));
    }
    std::sort(sample.begin(), sample.end());
    return sample;
}

}  // namespace cusim
