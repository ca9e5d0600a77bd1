// A launch: LaunchPlan -> LaunchRun -> LaunchReport (see launch_plan.h), and its findings.
#include <algorithm>
#include <chrono>
#include <climits>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/api/counted_launch.h"
#include "simulator/api/launch_counts.h"
#include "simulator/api/launch_limits.h"
#include "simulator/api/launch_plan.h"
#include "simulator/api/launch_run.h"
#include "simulator/api/launch_uses.h"
#include "simulator/api/recorded_launch.h"
#include "simulator/api/second_run.h"
#include "simulator/api/unset_output.h"
#include "simulator/engine/device_profile.h"
#include "simulator/engine/host_memory.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/watchdog.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/explain/early_uses.h"
#include "simulator/explain/memory_findings.h"
#include "simulator/explain/race_findings.h"
#include "simulator/hooks/hooks.h"
#include "simulator/include/cusim/launch.h"
#include "simulator/memory/element_names.h"

namespace cusim {
namespace {

cudaError_t errorOf(const Finding& finding) {
    if (finding.kind == "assert") return cudaErrorAssert;
    if (finding.kind == "misaligned") return cudaErrorMisalignedAddress;
    if (finding.kind == "endless-kernel") return cudaErrorLaunchTimeout;
    if (finding.kind == "out-of-bounds" || finding.kind == "host-pointer" ||
        finding.kind == "null-pointer" || finding.kind == "use-after-free")
        return cudaErrorIllegalAddress;
    return cudaErrorLaunchFailure;
}

// Returns how many host threads run the blocks. One, if a trace must be the same on every run, or
// if the kernel was found endless before. Also one for a small launch: a second thread gains
// nothing, and blocks in their order give the same values on every run, even in a race.
int threadsFor(const LaunchPlan& plan) {
    constexpr std::uint64_t kSmall = 1024;
    const dim3& block = plan.config.block;
    const bool small =
        options().workers == 0 && plan.blocks <= kSmall / block.x / block.y / block.z;
    const bool alone =
        plan.config.cooperative || small || tracing() || recording() || plan.ofLimit < 1;
    const auto most = static_cast<unsigned>(alone ? 1 : workerCount());
    return startWorkers(static_cast<int>(std::min<std::uint64_t>(plan.blocks, most)));
}

// A run with what was known before it.
struct Attempt {
    Attempt(const LaunchPlan& asked, std::uint64_t threads)
        : plan(asked),
          inputs(placedInputs()),
          workers(threadsFor(plan)),
          before(copyForSecondRun(plan.history(), threads)) {
        forgetNotedOfShared();
        beginUses();
        const auto start = std::chrono::steady_clock::now();
        run.onWorkers(workers);
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;

    LaunchPlan plan;
    std::vector<Placed> inputs;
    int workers;
    std::optional<MemoryCopy> before;
    LaunchRun run{plan};
    double seconds = 0;
};

// Returns the races of a completed run: those suspected races that the memory model confirms.
RaceLog racesAfter(const Attempt& attempt) {
    RaceLog suspected = racesOf(attempt.workers);
    if (suspected.races().empty()) return suspected;
    attempt.plan.history().suspected = true;
    if (!attempt.before || !asksForSecondRun(suspected) ||
        startWorkers(attempt.workers + 1) == attempt.workers)
        return suspected;
    return racesInSecondRun(*attempt.before, std::move(suspected),
                            [&](HappensBefore& model, bool opposite) {
                                const LaunchPlan plan = attempt.plan.secondRun(model, opposite);
                                LaunchRun again(plan);
                                again.onWorker(attempt.workers);
                                return again.completed();
                            });
}

// Writes the counts of the run into the report.
void count(const Attempt& attempt, LaunchReport& report) {
    report.seconds = attempt.seconds;
    report.completed = attempt.run.completed();
    report.barriersPerThread = attempt.run.mostBarriers();
    addUp(report, attempt.workers);
    notePlaced(report, attempt.inputs, true);
    noteUses(report, attempt.plan.config, attempt.workers);
    if (!tracing()) return;
    std::vector<TraceEvent> events;
    for (int w = 0; w < attempt.workers; ++w) {
        const auto& part = workers()[w]->trace.events();
        events.insert(events.end(), part.begin(), part.end());
    }
    writeTrace(report, std::move(events));
}

// Reports the findings of the launch. If it failed, only the failure: what the other blocks did
// until then depends on chance.
void judge(Attempt& attempt, const std::string& kernel) {
    const LaunchPlan& plan = attempt.plan;
    if (attempt.run.completed()) {
        reportMemoryFindings(plan.call, plan.config, attempt.workers, racesAfter(attempt));
        reportEarlyUses(plan.call, plan.config, attempt.workers);
        reportSkippedBarriers(kernel, plan.config, attempt.workers);
    }
    attempt.run.print();
    if (attempt.run.completed()) return;
    Finding& first = attempt.run.failure();
    nameBarrierInBranch(first);
    if (first.kind == "endless-kernel") plan.history().endless = true;
    Runtime::instance().sticky = Runtime::instance().refuse(errorOf(first), first);
}

// Runs a launch that the limits allow. Blocks that wait for each other run at the same time on a
// card if there is room for all; then they run side by side here.
void execute(const LaunchPlan& asked, LaunchReport& report) {
    const LaunchPlan together = asked.sideBySide();
    LaunchHistory::OfKernel& history = asked.history();
    std::string tooMany;
    const bool fits = options().tolerant && checkLimits(together.config, report.staticSharedBytes,
                                                        INT_MAX, tooMany) == cudaSuccess;
    std::optional<Attempt> attempt;
    attempt.emplace(fits && history.waitsForOthers ? together : asked, report.threads);
    if (attempt->run.waitsInVain() && fits && attempt->before) {
        noteUses(report, asked.config, attempt->workers);
        attempt->before->restore();
        history.waitsForOthers = true;
        attempt.emplace(together, report.threads);
    } else if (attempt->run.waitsInVain() && !fits) {
        Finding& first = attempt->run.failure();
        first.details.push_back(tooMany);
        first.remedy =
            "A block that waits for a block that has not begun waits for ever, also on a card. "
            "Launch no more blocks than the device holds at once, or split the kernel in two.";
    }
    count(*attempt, report);
    judge(*attempt, report.kernel);
}

// Writes into the report what is known before the launch runs.
void describe(const LaunchPlan& plan, LaunchReport& report) {
    const dim3 &grid = report.grid = plan.config.grid, &block = report.block = plan.config.block;
    std::vector<WholeNumber> numbers(plan.call.parameters);
    plan.call.numbers(plan.call.arguments, numbers.data());
    for (const WholeNumber& number : numbers)
        if (number.given) report.numbers.push_back(number.value);
    report.constantByAddress = hasAddressOfConstant(plan.call);
    report.dynamicSharedBytes = plan.config.dynamicSharedBytes;
    report.staticSharedBytes = SharedMemoryMap::instance().staticBytes(plan.call.function);
    report.threads = std::uint64_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
}

// Returns the error of a launch that is refused, after reporting why; cudaSuccess for all others.
cudaError_t refused(const LaunchPlan& plan, const LaunchReport& report) {
    const int asked = dynamicSharedAsked(plan.call.function);
    const int limit = std::max(static_cast<int>(deviceProfile().sharedMemPerBlock),
                               asked < 0 ? 0 : asked + static_cast<int>(report.staticSharedBytes));
    std::string why;
    // Deduced calls have no address: the translator has seen their __global__.
    const bool plain = plan.call.function && !isKernel(plan.call.function);
    const cudaError_t error = plain
                                  ? cudaErrorInvalidDeviceFunction
                                  : checkLimits(plan.config, report.staticSharedBytes, limit, why);
    if (error == cudaSuccess) return error;
    if (plain) why = "it is declared without __global__";
    excuseArrays(plan.call);
    return Runtime::instance().refuse(
        error, {"invalid-launch",
                joined("launch of ", report.kernel, " refused: ", why),
                report.at,
                remedyOf(error, plan.config, report.staticSharedBytes, asked, Place(report.at)),
                {joined("cudaGetLastError() returns ", cudaGetErrorName(error))}});
}

}  // namespace

void exchangeKernel(const void* kernel, const void* other) {
    LaunchHistory::instance().exchanged = kernel;
    LaunchHistory::instance().inItsPlace = other;
}

// Returns a return address in the exchanged kernel: accesses of its replacement count as its own.
static const void* placeOfExchanged() {
    return static_cast<const char*>(LaunchHistory::instance().exchanged) + 1;
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
    const NamedCall named(given);
    const KernelCall& call = named.call();
    LaunchReport report;
    report.kernel = call.name;
    report.at = call.at;
    report.errorAsked = !given.name;  // cudaLaunchKernel returns the error
    if (const cudaError_t error = runtime.enter("launch")) {
        runtime.launches.push_back(report);
        return error;
    }
    if (cusimWorker)
        cusimWorker->runner->fail({"unsupported", "a kernel launches a kernel", call.at,
                                   "Dynamic parallelism is not simulated; launch from the host."});
    const LaunchPlan plan(launched, call);
    describe(plan, report);
    const cudaError_t error = refused(plan, report);
    if (error == cudaSuccess) {
        // A jump out of a launch would leave other host threads in it.
        hostProgress().spareTurn();
        noteHostStores();
        std::optional<RecordedLaunch> recorded;
        if (recording() && !named.isExchanged() && !plan.config.cooperative)
            recorded.emplace(plan.config, call);
        execute(plan, report);
        if (!options().counts.empty()) writeCounts(report);
        if (recorded) recorded->write(report, workers()[0]->recording);
        StreamStep step{StreamStep::Launch};
        step.launch = runtime.launches.size();
        runtime.note(step, plan.config.stream);
    }
    runtime.launches.push_back(std::move(report));
    hostProgress().step();  // the launch was not the host's time
    return runtime.sticky ? runtime.sticky : error;
}

}  // namespace cusim
