#include "simulator/observers/trace.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tuple>

#include "simulator/findings/coordinates.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"

namespace cusim {
namespace {

constexpr const char* kHeader =
    "launch,block_x,block_y,block_z,thread_x,thread_y,thread_z,step,barriers,"
    "what,space,array,index,bytes,line\n";

std::string place(std::uint64_t linear, const dim3& extent) {
    const uint3 at = position(linear, extent);
    return joined(at.x, ",", at.y, ",", at.z);
}

std::string extent(const dim3& d) { return joined(d.x, " x ", d.y, " x ", d.z); }

// Returns, for example, "load,global,d_M,5,4,31". The index counts units of the access's size.
std::string description(const TraceEvent& event) {
    static const char* const names[] = {"load", "store", "atomic", "barrier"};
    const char* const what = names[event.what];
    if (event.what == TraceEvent::Barrier) return joined(what, ",,,,,", event.at.line);
    std::string array, space = "shared";
    if (event.shared) {
        array = arrayName(true, event.array);
    } else {
        const Allocation& allocation = *DeviceMemory::instance().allocations()[event.array];
        array = allocation.name.empty() ? joined("allocation ", allocation.id) : allocation.name;
        space = allocation.kind == MemoryKind::ConstantVariable ? "constant" : "global";
    }
    return joined(what, ",", space, ",", array, ",", event.offset / event.bytes, ",", event.bytes,
                  ",", placeOf(placeOfInstruction(event.instruction)).line);
}

[[noreturn]] void giveUp(const std::string& path) {
    std::fprintf(stderr, "TRACE: %s cannot be written (%s); choose another file\n", path.c_str(),
                 std::strerror(errno));
    std::exit(2);
}

// The trace file that this run of the program has begun.
std::string& begunPath() {
    static std::string path;
    return path;
}

void leaveOut(std::FILE* file, const LaunchReport& launch, const std::string& why) {
    std::fprintf(file, "# left out: it %s\n", why.c_str());
    std::fprintf(stderr, "%s: %s is left out: it %s\n", options().trace.c_str(),
                 launch.kernel.c_str(), why.c_str());
}

}  // namespace

bool tracing() { return !options().trace.empty(); }

void beginTrace(const std::string& path) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    if (!file || std::fputs(kHeader, file) < 0 || std::fclose(file) != 0) giveUp(path);
    begunPath() = path;
}

void Trace::begin(bool wanted) {
    on_ = wanted;
    events_.clear();
}

void Trace::beginBlock(std::uint32_t threads) {
    epoch_ = 0;
    steps_.assign(threads, 0);
}

void Trace::access(const SeenAccess& one) {
    const auto what = static_cast<TraceEvent::What>(kindOf(one.instruction));
    add({one.actor.block,
         one.actor.thread,
         0,
         0,
         what,
         one.shared,
         one.array,
         one.offset,
         static_cast<std::uint32_t>(one.bytes),
         one.instruction,
         {}});
}

void Trace::step(const Actor& actor, ThreadStep what, const Where& at, std::uintptr_t) {
    if (what != ThreadStep::Barrier) return;
    add({actor.block, actor.thread, 0, 0, TraceEvent::Barrier, false, 0, 0, 0, 0, at});
}

void Trace::add(TraceEvent event) {
    if (events_.size() > kMostEvents) return;
    event.step = steps_[event.thread]++;
    event.epoch = epoch_;
    events_.push_back(event);
}

void writeTrace(const LaunchReport& launch, std::vector<TraceEvent> events) {
    static int number = 0;
    const std::string& path = options().trace;
    if (begunPath() != path) {
        beginTrace(path);
        number = 0;
    }
    std::FILE* const file = std::fopen(path.c_str(), "a");
    if (!file) giveUp(path);
    std::fprintf(file, "# launch %d: %s, grid %s, block %s, %s:%d\n", number, launch.kernel.c_str(),
                 extent(launch.grid).c_str(), extent(launch.block).c_str(), launch.at.file,
                 launch.at.line);
    if (launch.threads > Trace::kMostThreads) {
        leaveOut(
            file, launch,
            joined("has ", launch.threads, " threads, a trace holds up to ", Trace::kMostThreads));
    } else if (events.size() > Trace::kMostEvents) {
        leaveOut(file, launch, joined("makes more than ", Trace::kMostEvents, " accesses"));
    } else {
        // Sorts by thread, so that the file does not depend on the schedule.
        std::sort(events.begin(), events.end(), [](const TraceEvent& a, const TraceEvent& b) {
            return std::tie(a.block, a.thread, a.step) < std::tie(b.block, b.thread, b.step);
        });
        for (const TraceEvent& event : events)
            std::fprintf(file, "%d,%s,%s,%u,%u,%s\n", number,
                         place(event.block, launch.grid).c_str(),
                         place(event.thread, launch.block).c_str(), event.step, event.epoch,
                         description(event).c_str());
    }
    ++number;
    const bool written = std::ferror(file) == 0;
    if (std::fclose(file) != 0 || !written) giveUp(path);
}

}  // namespace cusim
