#include "simulator/api/recorded_launch.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "simulator/engine/runtime.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"
#include "simulator/memory/shared_memory.h"
#include "simulator/memory/symbols.h"
#include "simulator/model/card_time.h"
#include "text/json.h"

namespace cusim {
namespace {

// Larger arrays are named without their contents.
constexpr std::size_t kMostBefore = std::size_t{1} << 20;

std::vector<unsigned> triple(const dim3& at) { return {at.x, at.y, at.z}; }

// Returns the steps of a finding; an empty object if it names no element.
std::string whereOf(const Finding& finding) {
    const std::optional<FindingSteps>& steps = finding.steps;
    json::Object out;
    if (steps)
        out.add("shared", steps->shared)
            .add("array", steps->array)
            .add("offset", steps->offset)
            .add("block", steps->block)
            .add("otherBlock", steps->otherBlock)
            .add("thread", steps->thread)
            .add("otherThread", steps->otherThread)
            .add("otherLine", finding.others.empty() ? finding.line : finding.others[0].line);
    return out.text();
}

// Returns a card's time for the launch, whose operations are not known.
json::Object modelled(const ModelledTime& time) {
    json::Object out;
    out.add("card", time.card).add("nanoseconds", std::llround(1000 * time.microseconds));
    return out.add("limitedBy", time.limitedBy);
}

const char* spaceOf(const Allocation& allocation) {
    return allocation.kind == MemoryKind::ConstantVariable ? "constant" : "global";
}

}  // namespace

RecordedLaunch::RecordedLaunch(const LaunchConfig& config, const KernelCall& call)
    : findingsBefore_(findings().size()) {
    const DeviceMemory::Access access;
    for (const auto& allocation : DeviceMemory::instance().allocations()) {
        if (!allocation->live) continue;
        Array array{false, allocation->id, allocation->base, allocation->bytes};
        if (array.bytes <= kMostBefore) {
            const auto* const bytes = reinterpret_cast<const std::uint8_t*>(array.start);
            array.before.assign(bytes, bytes + array.bytes);
            if (const std::uint8_t* const marks = allocation->marks)
                array.marks.assign(marks, marks + array.bytes);
        }
        arrays_.push_back(std::move(array));
    }
    const auto& shared = SharedMemoryMap::instance().arrays();
    for (std::size_t i = 1; i < shared.size(); ++i) {
        const std::size_t bytes = i == 1 ? config.dynamicSharedBytes : shared[i].bytes;
        const bool used = i == 1 || SharedMemoryMap::instance().declares(call.function, i);
        if (bytes > 0 && used)
            arrays_.push_back({true, static_cast<std::uint32_t>(i), shared[i].offset, bytes});
    }
}

std::string RecordedLaunch::header(const LaunchReport& launch, const Recording& steps,
                                   std::size_t found) const {
    std::vector<json::Object> arrays;
    for (const Array& array : arrays_) {
        const Allocation* const allocation =
            array.shared ? nullptr : DeviceMemory::instance().allocations()[array.id].get();
        const auto shape = allocation ? matrixShape(*allocation) : sharedShape(array.id);
        json::Object one;
        one.add("shared", array.shared).add("id", array.id);
        one.add("name", allocation ? label(*allocation) : arrayName(true, array.id));
        one.add("space", allocation ? spaceOf(*allocation) : "shared");
        one.add("start", array.start).add("bytes", array.bytes);
        one.add("elementBytes", shape ? shape->elementBytes : 0);
        one.add("extents", shape ? shape->extents : std::vector<std::size_t>{});
        one.add("before", !array.before.empty()).add("marks", !array.marks.empty());
        arrays.push_back(std::move(one));
    }
    json::Object out;
    out.add("kernel", launch.kernel).add("file", launch.at.file).add("line", launch.at.line);
    out.add("grid", triple(launch.grid)).add("block", triple(launch.block));
    out.add("arrays", arrays).add("base", programBase());
    out.add("shared", threadLocalBase());
    out.add("findings", found).add("cut", steps.isCut());
    const ModelledTime time = modelledTime(launch);
    if (launch.completed && !time.parts.empty()) out.add("modelled", modelled(time));
    return out.add("steps", steps.steps()).text();
}

void RecordedLaunch::write(const LaunchReport& launch, const Recording& steps) const {
    static bool kept = false;  // the file holds a launch with a finding
    if (kept) return;
    const std::string& path = options().recording;
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    const auto put = [&](const auto& bytes) {
        if (file) std::fwrite(bytes.data(), sizeof bytes[0], bytes.size(), file);
    };
    const std::vector<Finding> found(
        findings().begin() + static_cast<std::ptrdiff_t>(findingsBefore_), findings().end());
    put(header(launch, steps, found.size()) + "\n");
    for (const Finding& finding : found) put(json(finding) + "\n" + whereOf(finding) + "\n");
    for (const Array& array : arrays_) {
        put(array.before);
        put(array.marks);
    }
    put(steps.bytes());
    kept = !found.empty();
    if (file && std::ferror(file) == 0 && std::fclose(file) == 0) return;
    std::fprintf(stderr, "RECORDING: %s cannot be written (%s)\n", path.c_str(),
                 std::strerror(errno));
    std::exit(2);
}

}  // namespace cusim
