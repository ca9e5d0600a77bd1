// A launch: its blocks spread over the host threads, its counts added up.
#include <atomic>
#include <chrono>
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "simulator/api/launch_counts.h"
#include "simulator/api/launch_limits.h"
#include "simulator/api/launch_uses.h"
#include "simulator/api/recorded_launch.h"
#include "simulator/api/second_run.h"
#include "simulator/api/unset_output.h"
#include "simulator/engine/block_runner.h"
#include "simulator/engine/cooperative_grid.h"
#include "simulator/engine/device_profile.h"
#include "simulator/engine/host_memory.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/watchdog.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/explain/early_uses.h"
#include "simulator/explain/memory_findings.h"
#include "simulator/explain/race_findings.h"
#include "simulator/hooks/hooks.h"
#include "simulator/hooks/looks.h"
#include "simulator/include/cusim/launch.h"
#include "simulator/memory/device_heap.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"
#include "simulator/memory/symbols.h"

namespace cusim {
namespace {

// The kernel that is exchanged, and what runs in its place.
const void* exchanged = nullptr;
const void* inItsPlace = nullptr;

// A return address into the exchanged kernel, whose accesses those in its place are taken for.
const void* placeOfExchanged() { return static_cast<const char*>(exchanged) + 1; }

// Names of the kernels that did not come to an end in this program, and of those whose blocks wait
// for blocks after them.
std::set<std::string> foundEndless, waitForOthers;

constexpr std::uint64_t kOfBlocks = ~std::uint64_t{0};  // the salt of the order of blocks

double partOfLimit(const KernelCall& call) {
    return foundEndless.count(call.name) > 0 ? kOfLimitNextTime : 1.0;
}

struct GridProgress {
    std::atomic<std::uint64_t> next{0};
    std::atomic<std::uint64_t> firstFailed{UINT64_MAX};
    std::mutex mutex;
    std::map<std::uint64_t, Finding> failures;  // by the block's turn
    std::vector<std::pair<std::uint64_t, std::string>> output;
    std::atomic<std::uint64_t> mostBarriers{0};
    HappensBefore* order = nullptr;        // in a second run
    std::atomic<bool> waitsInVain{false};  // for values that no thread of the block stores
};

std::string kernelName(const KernelCall& call) {
    if (call.name) return call.name;
    const std::string readable = demangled(mangledName(call.function));
    // The parameters begin at the first bracket that is not part of "(anonymous namespace)".
    const std::string unnamed = "(anonymous namespace)";
    std::size_t end = readable.find('(');
    while (end != std::string::npos && readable.compare(end, unnamed.size(), unnamed) == 0)
        end = readable.find('(', end + unnamed.size());
    return readable.substr(0, end);
}

void prepareWorker(Worker& worker, const LaunchConfig& config, const KernelCall& call,
                   HappensBefore* order) {
    const auto& arrays = SharedMemoryMap::instance().arrays();
    const auto& allocations = DeviceMemory::instance().allocations();
    // Two more than are used, so that host threads do not write to one cache line.
    worker.shared.reserve(arrays.size() + 2);
    worker.shared.assign(arrays.size(), {});
    worker.sharedStart.assign(arrays.size(), 0);
    const void* const kernel = call.function == exchanged ? nullptr : call.function;
    for (std::size_t i = 1; i < arrays.size(); ++i) {
        worker.shared[i].start = worker.sharedStart[i] = arrays[i].offset;
        worker.shared[i].bytes = i == 1 ? config.dynamicSharedBytes : sharedBytesFor(kernel, i);
    }
    worker.global.reserve(allocations.size() + 2);
    worker.global.assign(allocations.size(), {});
    std::vector<std::size_t> sizes(allocations.size());
    std::vector<bool> constant(allocations.size());
    for (const auto& allocation : allocations) {
        ArraySlot& slot = worker.global[allocation->id];
        slot.start = allocation->base;
        slot.bytes = sizes[allocation->id] = allocation->bytes;
        slot.marks = allocation->marks;
        slot.stored = allocation->stored;
        slot.used = order ? nullptr : allocation->used.get();
        constant[allocation->id] = allocation->kind == MemoryKind::ConstantVariable;
    }
    worker.loadsInRuns.reserve(arrays.size() + allocations.size() + 16);
    worker.loadsInRuns.assign(arrays.size() + allocations.size(), 0);
    worker.local = {};
    worker.barriers = 0;
    worker.arguments = reinterpret_cast<std::uintptr_t>(call.arguments);
    worker.argumentBytes = call.argumentBytes;
    worker.count = options().count;
    worker.countElements = options().countElements;
    worker.countSharedElements = options().countSharedElements;
    worker.checkRaces = options().races;
    worker.checkUnset = options().unset;
    const std::uint64_t blocks = std::uint64_t{config.grid.x} * config.grid.y * config.grid.z;
    worker.warpBlocks = options().warps ? warpSample(blocks) : std::vector<std::uint64_t>{};
    if (config.cooperative)
        worker.warpBlocks.resize(std::min<std::size_t>(1, worker.warpBlocks.size()));
    worker.outside.clear();
    worker.warps.begin(std::move(constant), arrays.size());
    worker.elements.begin(arrays.size() + allocations.size());
    worker.trace.begin(tracing() && !config.cooperative &&
                       blocks * config.block.x * config.block.y * config.block.z <=
                           Trace::kMostThreads);
    worker.recording.begin(recording() && !config.cooperative);
    if ((worker.order = order)) {
        worker.count = worker.checkRaces = worker.checkUnset = false;
        worker.countElements = worker.countSharedElements = false;
        worker.warpBlocks.clear();
        worker.trace.begin(false);
        worker.recording.begin(false);
    }
    worker.yields = options().tolerant;
    worker.noteEach = order || worker.trace.on() || worker.recording.on();
    worker.runner->beginLaunch(partOfLimit(call));
    worker.races.begin(worker.threadLocalBytes, std::move(sizes), worker.nextEpoch);
    worker.runs.begin(
        worker.loadsInRuns.data(), worker.shared.size(), worker.threadLocals, &worker.actor,
        worker.checkRaces ? &worker.races : nullptr,
        [&worker](const Rows& rows) { noteStores(worker, rows); },
        [&worker](const Rows& rows) { noteUse(worker, rows, ByteUse::Read); });
    worker.unset.begin(worker.threadLocalBytes);
    worker.copies.begin();
}

void runBlocks(Worker& worker, const LaunchConfig& config, const KernelCall& call,
               std::uint64_t blocks, const Schedule& schedule,
               const std::vector<std::uint32_t>& order, GridProgress& progress) {
    prepareWorker(worker, config, call, progress.order);
    const Watched watched(worker.progress, options().secondLimit * partOfLimit(call));
    if (config.cooperative) {
        CooperativeGrid grid(worker, partOfLimit(call));
        if (!grid.run(config, call, schedule, order))
            progress.failures.emplace(grid.failedTurn(), grid.failure());
        progress.output = grid.takeOutput();
        progress.mostBarriers = worker.runner->mostBarriers();
        return;
    }
    for (;;) {
        const std::uint64_t turn = progress.next.fetch_add(1);
        if (turn >= blocks || turn > progress.firstFailed.load()) return;
        const std::uint64_t block = order.empty() ? turn : order[turn];
        if (options().lastBlockOnly && block + 1 < blocks) continue;
        const bool good = worker.runner->run(config, call, schedule, block);
        std::string output = worker.runner->takeOutput();
        if (good && output.empty() && worker.runner->mostBarriers() <= progress.mostBarriers)
            continue;
        const std::lock_guard<std::mutex> lock(progress.mutex);
        progress.mostBarriers =
            std::max(progress.mostBarriers.load(), worker.runner->mostBarriers());
        if (!output.empty()) progress.output.emplace_back(turn, std::move(output));
        if (!good) {
            if (worker.runner->waitsInVain()) progress.waitsInVain = true;
            progress.failures.emplace(turn, worker.runner->failure());
            progress.firstFailed = std::min(progress.firstFailed.load(), turn);
        }
    }
}

cudaError_t errorOf(const Finding& finding) {
    if (finding.kind == "assert") return cudaErrorAssert;
    if (finding.kind == "misaligned") return cudaErrorMisalignedAddress;
    if (finding.kind == "endless-kernel") return cudaErrorLaunchTimeout;
    if (finding.kind == "out-of-bounds" || finding.kind == "host-pointer" ||
        finding.kind == "null-pointer" || finding.kind == "use-after-free")
        return cudaErrorIllegalAddress;
    return cudaErrorLaunchFailure;
}

// Returns whether one worker runs the launch: a second one would gain nothing, and blocks in their
// order give the same values every time, even in a race.
bool isSmall(const LaunchConfig& config, std::uint64_t blocks) {
    constexpr std::uint64_t kThreads = 1024;
    const dim3& block = config.block;
    return options().workers == 0 && blocks <= kThreads / block.x / block.y / block.z;
}

void execute(const LaunchConfig& config, const KernelCall& call, LaunchReport& report) {
    LaunchConfig together = config;
    together.cooperative = true;
    std::string tooMany;
    const bool fits = options().tolerant && checkLimits(together, report.staticSharedBytes, INT_MAX,
                                                        tooMany) == cudaSuccess;
    if (!config.cooperative && fits && waitForOthers.count(report.kernel) > 0)
        return execute(together, call, report);
    const std::uint64_t blocks = std::uint64_t{config.grid.x} * config.grid.y * config.grid.z;
    Schedule schedule;
    Schedule::parse(options().schedule, schedule);
    std::vector<std::uint32_t> order;
    if (schedule.order != Schedule::Forward && blocks <= UINT32_MAX)
        order = schedule.permutation(static_cast<std::uint32_t>(blocks), kOfBlocks);

    const std::vector<Placed> inputs = placedInputs();
    forgetToldOfShared();
    GridProgress progress;
    // A trace is the same on every run; and one worker waits for what has been found endless.
    const bool alone = config.cooperative || isSmall(config, blocks) || tracing() || recording() ||
                       partOfLimit(call) < 1;
    const int most = alone ? 1 : workerCount();
    const int used = startWorkers(
        static_cast<int>(std::min<std::uint64_t>(blocks, static_cast<unsigned>(most))));
    const std::optional<MemoryCopy> before = copyForSecondRun(report.kernel, report.threads);
    beginUses();
    const auto start = std::chrono::steady_clock::now();
    {
        const DeviceMemory::Access access;
        DeviceHeap::instance().open();
        runOnWorkers(used, [&](Worker& worker) {
            worker.alone = used == 1;
            runBlocks(worker, config, call, blocks, schedule, order, progress);
            worker.runs.tellReads();
        });
    }
    DeviceHeap::instance().close();
    const bool wait = progress.waitsInVain && !config.cooperative;
    if (wait && fits && before) {
        // On a card these blocks run at the same time.
        noteUses(report, config, used);
        before->restore();
        waitForOthers.insert(report.kernel);
        return execute(together, call, report);
    }
    if (wait && !fits) {
        Finding& first = progress.failures.begin()->second;
        first.details.push_back(tooMany);
        first.remedy =
            "A block that waits for a block that has not begun waits for ever, also on a card. "
            "Launch no more blocks than the device holds at once, or split the kernel in two.";
    }
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    report.completed = progress.failures.empty();
    report.barriersPerThread = progress.mostBarriers;
    addUp(report, used);
    notePlaced(report, inputs, true);
    noteUses(report, config, used);

    if (tracing()) {
        std::vector<TraceEvent> events;
        for (int w = 0; w < used; ++w) {
            const auto& part = workers()[w]->trace.events();
            events.insert(events.end(), part.begin(), part.end());
        }
        writeTrace(report, std::move(events));
    }

    // How far the other blocks of a failed launch came is chance, and so is what they show.
    if (report.completed) {
        RaceLog races = racesOf(used);
        const bool suspected = !races.races().empty();
        if (before && suspected && startWorkers(used + 1) > used)
            races = racesInSecondRun(
                *before, std::move(races), [&](HappensBefore& model, bool opposite) {
                    GridProgress again;
                    again.order = &model;
                    Schedule way = schedule;
                    way.opposite = opposite;
                    std::vector<std::uint32_t> turns = order;
                    if (opposite)
                        turns = way.permutation(static_cast<std::uint32_t>(blocks), kOfBlocks);
                    DeviceHeap::instance().open();
                    runOnWorker(used, [&](Worker& worker) {
                        worker.alone = true;
                        runBlocks(worker, config, call, blocks, way, turns, again);
                    });
                    DeviceHeap::instance().close();
                    return again.failures.empty();
                });
        if (suspected) noteSuspicion(report.kernel);
        reportMemoryFindings(call, config, used, races);
        reportEarlyUses(call, config, used);
        reportSkippedBarriers(report.kernel, config, used);
    }
    std::sort(progress.output.begin(), progress.output.end());
    for (const auto& [block, output] : progress.output) std::fputs(output.c_str(), printedTo());
    if (report.completed) return;
    // Which blocks ran before the launch ended depends on the host; the first failure does not.
    const Finding& first = progress.failures.begin()->second;
    if (first.kind == "endless-kernel") foundEndless.insert(report.kernel);
    Runtime::instance().sticky = Runtime::instance().refuse(errorOf(first), first);
}

}  // namespace

void exchangeKernel(const void* kernel, const void* other) {
    exchanged = kernel;
    inItsPlace = other;
}

float load(const float* address) {
    access(address, sizeof *address, AccessKind::Load, placeOfExchanged());
    return *address;
}

void store(float* address, float value) {
    access(address, sizeof *address, AccessKind::Store, placeOfExchanged());
    *address = value;
}

cudaError_t run(const LaunchConfig& launched, const KernelCall& given) {
    const Runtime::Turn turn;
    Runtime& runtime = Runtime::instance();
    LaunchConfig config = launched;
    if (options().grid.x > 0) config.grid = options().grid;
    config.dynamicSharedBytes = std::max(config.dynamicSharedBytes, options().leastSharedBytes);
    const std::string name = kernelName(given);
    KernelCall call = given;
    call.name = name.c_str();
    std::vector<std::byte> arguments;
    if (call.function && call.function == exchanged) {
        // The packed arguments begin with the pointer through which a thread calls the kernel.
        const auto* const bytes = static_cast<const std::byte*>(call.arguments);
        arguments.assign(bytes, bytes + call.argumentBytes);
        std::memcpy(arguments.data(), &inItsPlace, sizeof inItsPlace);
        call.arguments = arguments.data();
    }
    LaunchReport report;
    report.kernel = name;
    report.at = call.at;
    report.errorAsked = !given.name;  // cudaLaunchKernel returns the error
    if (const cudaError_t error = runtime.enter("launch")) {
        runtime.launches.push_back(report);
        return error;
    }
    if (cusimWorker)
        cusimWorker->runner->fail({"unsupported", "a kernel launches a kernel", call.at,
                                   "Dynamic parallelism is not simulated; launch from the host."});

    report.grid = config.grid;
    report.block = config.block;
    std::vector<WholeNumber> numbers(call.parameters);
    call.numbers(call.arguments, numbers.data());
    for (const WholeNumber& number : numbers)
        if (number.given) report.numbers.push_back(number.value);
    report.dynamicSharedBytes = config.dynamicSharedBytes;
    report.staticSharedBytes = SharedMemoryMap::instance().staticBytes(call.function);
    report.threads = std::uint64_t{config.grid.x} * config.grid.y * config.grid.z * config.block.x *
                     config.block.y * config.block.z;
    const int asked = dynamicSharedAsked(call.function);
    const int limit = std::max(static_cast<int>(deviceProfile().sharedMemPerBlock),
                               asked < 0 ? 0 : asked + static_cast<int>(report.staticSharedBytes));
    std::string why;
    // Deduced calls have no address: the translator has seen their __global__.
    const bool plain = call.function && !isKernel(call.function);
    const cudaError_t error = plain ? cudaErrorInvalidDeviceFunction
                                    : checkLimits(config, report.staticSharedBytes, limit, why);
    if (plain) why = "it is declared without __global__";
    if (error == cudaSuccess) {
        // A jump out of a launch would leave other host threads in it.
        hostProgress().spareTurn();
        noteHostStores();
        std::optional<RecordedLaunch> recorded;
        if (recording() && arguments.empty() && !config.cooperative) recorded.emplace(config, call);
        execute(config, call, report);
        if (recorded) recorded->write(report, workers()[0]->recording);
        StreamStep step{StreamStep::Launch};
        step.launch = runtime.launches.size();
        runtime.note(step, config.stream);
    } else {
        excuseArrays(call);
        runtime.refuse(error, {"invalid-launch",
                               joined("launch of ", name, " refused: ", why),
                               call.at,
                               remedyOf(error, config, report.staticSharedBytes, asked),
                               {joined("cudaGetLastError() returns ", cudaGetErrorName(error))}});
    }
    runtime.launches.push_back(std::move(report));
    hostProgress().step();  // the launch was not the host's time
    return runtime.sticky ? runtime.sticky : error;
}

}  // namespace cusim
