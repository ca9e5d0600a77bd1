#include "simulator/engine/runtime.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "simulator/engine/faults.h"
#include "simulator/engine/waits.h"
#include "simulator/engine/watchdog.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/device_heap.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

Runtime& Runtime::instance() {
    static auto* const runtime = new Runtime;  // outlives static destructors
    return *runtime;
}

// Tests run in one thread, and a jump out of a call would keep the lock.
Runtime::Turn::Turn() {
    static std::recursive_mutex turns;
    if (endListener) lock_ = std::unique_lock<std::recursive_mutex>(turns);
}

cudaError_t Runtime::enter(const char* function) {
    const Turn turn;
    calls.emplace_back(function);
    hostProgress().step();
    if (callListener) callListener();
    Waits::instance().report();
    endAfterCalls(calls.size());
    if (inHostFunction == std::this_thread::get_id())
        return keep(cudaErrorNotPermitted,
                    "a function that a stream calls on the host may call no CUDA function");
    auto found = toFail.find(function);
    if (found == toFail.end() && !toFail.empty())
        found =
            toFail.find(joined(function, ":", std::count(calls.begin(), calls.end(), function)));
    if (found == toFail.end()) return sticky;
    const cudaError_t error = keep(toFail.extract(found).mapped());
    lastFailed.byDestructor = calledByDestructor();
    return error;
}

cudaError_t Runtime::keep(cudaError_t error, const std::string& why) {
    if (error == cudaSuccess) return error;
    last = error;
    lastFailed = {calls.empty() ? "" : calls.back(), error, why};
    return error;
}

void (*Runtime::findingListener)(const Finding& finding) = nullptr;
void (*Runtime::endListener)() = nullptr;
void (*Runtime::callListener)() = nullptr;
bool (*Runtime::lend)(const void* address) = nullptr;

std::pair<std::uintptr_t, std::size_t> Runtime::registeredAt(const void* host) const {
    const auto address = reinterpret_cast<std::uintptr_t>(host);
    const auto after = registered.upper_bound(address);
    if (after == registered.begin()) return {};
    const auto& [start, one] = *std::prev(after);
    if (address - start >= one.bytes) return {};
    return {start, one.bytes};
}

void Runtime::report(Finding finding) {
    if (findingListener) findingListener(finding);
    findings.push_back(std::move(finding));
}

const char* name(Space space) {
    static const char* const names[] = {"global", "constant", "shared", "local"};
    return names[static_cast<int>(space)];
}

const ArrayReport* LaunchReport::filledFrom(const void* host) const {
    for (const auto* all : {&arrays, &placed})
        for (const ArrayReport& array : *all)
            if (array.copiedFrom == host) return &array;
    return nullptr;
}

const ArrayReport* LaunchReport::copiedInto(const void* host) const {
    for (const auto* all : {&placed, &arrays})
        for (const ArrayReport& array : *all)
            if (array.copiedTo == host) return &array;
    return nullptr;
}

const std::vector<LaunchReport>& launches() { return Runtime::instance().launches; }
const std::vector<Finding>& findings() { return Runtime::instance().findings; }
const std::vector<StreamStep>& streamSteps() { return Runtime::instance().streamSteps; }
const std::vector<std::string>& calls() { return Runtime::instance().calls; }

// What was asked for a kernel lasts, as on a card: the host may ask once in a program.
void reset() {
    DeviceMemory::instance().freeAll();
    DeviceHeap::instance().reset();
    auto asked = std::move(Runtime::instance().dynamicSharedAsked);
    Runtime::instance() = Runtime{};
    Waits::instance() = Waits{};
    ClosedPages::instance().forget([](const Work&) { return true; });
    Runtime::instance().dynamicSharedAsked = std::move(asked);
}

void failNext(const std::string& function, cudaError error) {
    Runtime::instance().toFail[function] = error;
}

}  // namespace cusim
