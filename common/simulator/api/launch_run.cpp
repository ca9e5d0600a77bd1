#include "simulator/api/launch_run.h"

#include <algorithm>
#include <cstdio>

#include "simulator/api/launch_counts.h"
#include "simulator/api/launch_limits.h"
#include "simulator/engine/cooperative_grid.h"
#include "simulator/engine/watchdog.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/hooks/looks.h"
#include "simulator/memory/device_heap.h"
#include "simulator/memory/device_memory.h"
#include "simulator/observers/happens_before.h"

namespace cusim {
namespace {

void placeShared(Worker& worker, const LaunchPlan& plan) {
    const auto& arrays = SharedMemoryMap::instance().arrays();
    // Two more than are used, so that host threads do not write to one cache line.
    worker.shared.reserve(arrays.size() + 2);
    worker.shared.assign(arrays.size(), {});
    worker.sharedStart.assign(arrays.size(), 0);
    const void* const function = plan.call.function;
    const bool any = function == LaunchHistory::instance().exchanged;
    for (std::size_t i = 1; i < arrays.size(); ++i) {
        worker.shared[i].start = worker.sharedStart[i] = arrays[i].offset;
        worker.shared[i].bytes =
            i == 1 ? plan.config.dynamicSharedBytes : sharedBytesFor(any ? nullptr : function, i);
    }
}

void placeGlobal(Worker& worker, const LaunchPlan& plan) {
    const auto& allocations = DeviceMemory::instance().allocations();
    worker.global.reserve(allocations.size() + 2);
    worker.global.assign(allocations.size(), {});
    for (const auto& allocation : allocations) {
        ArraySlot& slot = worker.global[allocation->id];
        slot.start = allocation->base;
        slot.bytes = allocation->bytes;
        slot.marks = allocation->marks;
        slot.stored = allocation->stored;
        slot.used = plan.model ? nullptr : allocation->used.get();
    }
}

// Chooses what is observed: in a second run only the order, because all else is known.
void chooseChecks(Worker& worker, const LaunchPlan& plan) {
    const bool first = !plan.model, alone = plan.config.cooperative;
    worker.count = first && options().count;
    worker.countElements = first && options().countElements;
    worker.countSharedElements = first && options().countSharedElements;
    worker.localIndices.begin(first ? options().localIndices : 0);
    worker.checkRaces = first && options().races;
    worker.checkUnset = first && options().unset;
    worker.warpBlocks.clear();
    if (first && options().warps) worker.warpBlocks = warpSample(plan.blocks);
    if (alone) worker.warpBlocks.resize(std::min<std::size_t>(1, worker.warpBlocks.size()));
    const dim3& block = plan.config.block;
    worker.trace.begin(first && tracing() && !alone &&
                       plan.blocks * block.x * block.y * block.z <= Trace::kMostThreads);
    worker.recording.begin(first && recording() && !alone);
    worker.yields = options().tolerant;
    worker.observers.clear();
    if (!first) worker.observers.push_back(plan.model);
    if (worker.trace.on()) worker.observers.push_back(&worker.trace);
    if (worker.recording.on()) worker.observers.push_back(&worker.recording);
    worker.noteEach = !worker.observers.empty();
}

void beginChecks(Worker& worker) {
    const std::size_t arrays = worker.shared.size() + worker.global.size();
    std::vector<std::size_t> sizes(worker.global.size());
    std::vector<bool> constant(worker.global.size());
    for (const auto& allocation : DeviceMemory::instance().allocations()) {
        sizes[allocation->id] = allocation->bytes;
        constant[allocation->id] = allocation->kind == MemoryKind::ConstantVariable;
    }
    worker.warps.begin(std::move(constant), worker.shared.size());
    worker.elements.begin(arrays);
    worker.races.begin(worker.threadLocalBytes, std::move(sizes), worker.nextEpoch);
    worker.loadsInRuns.reserve(arrays + 16);
    worker.loadsInRuns.assign(arrays, 0);
    worker.runs.begin(
        worker.loadsInRuns.data(), worker.shared.size(), worker.threadLocals, &worker.actor,
        worker.checkRaces ? &worker.races : nullptr,
        [&worker](const Rows& rows) { noteStores(worker, rows); },
        [&worker](const Rows& rows) { noteUse(worker, rows, ByteUse::Read); });
    worker.unset.begin(worker.threadLocalBytes);
    worker.copies.begin();
}

void prepareWorker(Worker& worker, const LaunchPlan& plan) {
    placeShared(worker, plan);
    placeGlobal(worker, plan);
    worker.local = worker.heap = {};
    worker.barriers = worker.tensorOperations = worker.tensorFlop = 0;
    worker.arguments = reinterpret_cast<std::uintptr_t>(plan.call.arguments);
    worker.argumentBytes = plan.call.argumentBytes;
    worker.outside.clear();
    chooseChecks(worker, plan);
    beginChecks(worker);
    worker.runner->beginLaunch(plan.ofLimit);
}

// Opens the device's heap while kernels run.
struct OpenHeap {
    OpenHeap() { DeviceHeap::instance().open(); }
    ~OpenHeap() { DeviceHeap::instance().close(); }
    OpenHeap(const OpenHeap&) = delete;
    OpenHeap& operator=(const OpenHeap&) = delete;
};

}  // namespace

void LaunchRun::onWorkers(int workers) {
    const OpenHeap heap;
    const DeviceMemory::Access access;
    runOnWorkers(workers, [&](Worker& worker) {
        worker.alone = workers == 1;
        runBlocks(worker);
        worker.runs.reportReads();
    });
}

void LaunchRun::onWorker(int number) {
    const OpenHeap heap;
    runOnWorker(number, [&](Worker& worker) {
        worker.alone = true;
        runBlocks(worker);
    });
}

void LaunchRun::runBlocks(Worker& worker) {
    prepareWorker(worker, plan_);
    const Watched watched(worker.progress, options().secondLimit * plan_.ofLimit);
    if (plan_.config.cooperative) return runSideBySide(worker);
    for (;;) {
        const std::uint64_t turn = next_.fetch_add(1);
        if (turn >= plan_.blocks || turn > firstFailed_.load()) return;
        const std::uint64_t block = plan_.turns.empty() ? turn : plan_.turns[turn];
        if (options().lastBlockOnly && block + 1 < plan_.blocks) continue;
        noteBlock(worker, turn,
                  worker.runner->run(plan_.config, plan_.call, plan_.schedule, block));
    }
}

void LaunchRun::runSideBySide(Worker& worker) {
    CooperativeGrid grid(worker, plan_.ofLimit);
    if (!grid.run(plan_.config, plan_.call, plan_.schedule, plan_.turns))
        failures_.emplace(grid.failedTurn(), grid.failure());
    output_ = grid.takeOutput();
    mostBarriers_ = worker.runner->mostBarriers();
}

void LaunchRun::noteBlock(Worker& worker, std::uint64_t turn, bool good) {
    std::string output = worker.runner->takeOutput();
    const std::uint64_t barriers = worker.runner->mostBarriers();
    if (good && output.empty() && barriers <= mostBarriers_) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    mostBarriers_ = std::max(mostBarriers_.load(), barriers);
    if (!output.empty()) output_.emplace_back(turn, std::move(output));
    if (good) return;
    if (worker.runner->waitsInVain()) waitsInVain_ = true;
    failures_.emplace(turn, worker.runner->failure());
    firstFailed_ = std::min(firstFailed_.load(), turn);
}

void LaunchRun::print() {
    std::sort(output_.begin(), output_.end());
    for (const auto& [turn, output] : output_) std::fputs(output.c_str(), printedTo());
}

}  // namespace cusim
