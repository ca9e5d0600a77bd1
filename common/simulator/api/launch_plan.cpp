#include "simulator/api/launch_plan.h"

#include <algorithm>
#include <cstring>

#include "simulator/engine/watchdog.h"
#include "simulator/memory/symbols.h"
#include "simulator/simulator.h"

namespace cusim {
namespace {

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

std::vector<std::uint32_t> turnsOf(const Schedule& schedule, std::uint64_t blocks) {
    constexpr std::uint64_t kOfBlocks = ~std::uint64_t{0};  // the salt of the order of blocks
    return schedule.permutation(static_cast<std::uint32_t>(blocks), kOfBlocks);
}

}  // namespace

LaunchHistory& LaunchHistory::instance() {
    static auto* const history = new LaunchHistory;  // outlives static destructors
    return *history;
}

NamedCall::NamedCall(const KernelCall& given) : name_(kernelName(given)), call_(given) {
    call_.name = name_.c_str();
    const LaunchHistory& history = LaunchHistory::instance();
    if (!given.function || given.function != history.exchanged) return;
    // The packed arguments begin with the pointer through which a thread calls the kernel.
    const auto* const bytes = static_cast<const std::byte*>(given.arguments);
    arguments_.assign(bytes, bytes + given.argumentBytes);
    std::memcpy(arguments_.data(), &history.inItsPlace, sizeof history.inItsPlace);
    call_.arguments = arguments_.data();
}

LaunchPlan::LaunchPlan(const LaunchConfig& launched, const KernelCall& kernelCall)
    : config(launched), call(kernelCall) {
    if (options().grid.x > 0) config.grid = options().grid;
    config.dynamicSharedBytes = std::max(config.dynamicSharedBytes, options().leastSharedBytes);
    blocks = std::uint64_t{config.grid.x} * config.grid.y * config.grid.z;
    ofLimit = history().endless ? kOfLimitNextTime : 1.0;
    Schedule::parse(options().schedule, schedule);
    if (schedule.order != Schedule::Forward && blocks <= UINT32_MAX)
        turns = turnsOf(schedule, blocks);
}

LaunchPlan LaunchPlan::sideBySide() const {
    LaunchPlan plan = *this;
    plan.config.cooperative = true;
    return plan;
}

LaunchPlan LaunchPlan::secondRun(HappensBefore& judge, bool opposite) const {
    LaunchPlan plan = *this;
    plan.model = &judge;
    plan.schedule.opposite = opposite;
    if (opposite) plan.turns = turnsOf(plan.schedule, blocks);
    return plan;
}

LaunchHistory::OfKernel& LaunchPlan::history() const {
    return LaunchHistory::instance().kernels[call.name];
}

}  // namespace cusim
