#include "simulator/explain/race_findings.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/explain/device_words.h"
#include "simulator/explain/joined_races.h"
#include "simulator/explain/memory_findings.h"
#include "simulator/explain/named_array.h"
#include "simulator/explain/race_remedies.h"
#include "simulator/explain/thread_flow.h"
#include "simulator/explain/told_parameter.h"
#include "simulator/findings/coordinates.h"
#include "simulator/findings/loops.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"

namespace cusim {
namespace {

// One side of a race. Several instructions of a line are one side.
struct Side : Place {
    AccessKind kind{};
    const void* instruction = nullptr;  // one of them

    bool operator<(const Side& other) const {
        return std::tie(file, line, kind) < std::tie(other.file, other.line, other.kind);
    }
    bool isOnLineOf(const Side& other) const { return file == other.file && line == other.line; }
};

// Tests whether several threads store one element on one line.
bool isOneStore(const Side& first, const Side& second) {
    return first.isOnLineOf(second) && first.kind == AccessKind::Store &&
           second.kind == AccessKind::Store;
}

struct RaceByLine {
    std::uint32_t array = 0;
    std::uint64_t count = 0;
    RaceExample example;
    bool acrossBlocks = false;
    bool shared = false;
    bool storedByMany = false;      // on the first side's line
    bool alsoAcrossBlocks = false;  // besides this race within a block
    bool readsUnset = false;        // on the second side's line, which is above the store
    int loop = 0;                   // around the second side only, whose rounds race, too
};
using RacesByLine = std::map<std::tuple<std::string, Side, Side, bool>, RaceByLine>;

RacesByLine byLine(const RaceLog& log) {
    RacesByLine result;
    std::map<Instruction, Side> sides;
    const auto side = [&](Instruction instruction) {
        const auto [found, isNew] = sides.try_emplace(instruction);
        if (const void* const at = placeOfInstruction(instruction); isNew)
            found->second = {placeOf(at), kindOf(instruction), at};
        return found->second;
    };
    for (const auto& [pair, example] : log.races()) {
        Side first = side(pair.first), second = side(pair.second);
        RaceExample one = example;
        // Put the write first: it waits, or others wait for it.
        const bool swap =
            first.kind == AccessKind::Load || (second.kind != AccessKind::Load && second < first);
        if (swap) {
            std::swap(first, second);
            std::swap(one.firstThread, one.secondThread);
            if (pair.acrossBlocks) std::swap(one.block, one.otherBlock);
        }
        RaceByLine& sum =
            result[{arrayName(pair.shared, pair.array), first, second, pair.acrossBlocks}];
        if (one.reason < sum.example.reason && sum.count > 0) continue;  // reports the most severe
        const bool isWorse = one.reason > sum.example.reason;
        if (sum.count == 0 || isWorse || one.before(sum.example)) {
            sum.example = one;
            sum.array = pair.array;
        }
        sum.count = example.count + (isWorse ? 0 : sum.count);
        sum.acrossBlocks = pair.acrossBlocks;
        sum.shared = pair.shared;
    }
    return result;
}

// Returns what to do if nothing at all orders the accesses of a race; "" for the usual remedy.
std::string ifUnordered(const std::string& usual, const RaceExample& race) {
    if (race.besideAtomic)
        return "The read may get the value from before or after the update. If the kernel is right "
               "with both, say so: read it as volatile, such as *(volatile int*)&x for an int x. "
               "If not: " +
               usual;
    if (race.areVolatile && race.block == race.otherBlock)
        return "volatile does not order threads, and the threads of a warp need not run in step. "
               "Put a __syncwarp() after each read and each write; for threads of several warps, a "
               "__syncthreads(). If a thread waits for a flag, put a __threadfence_block() before "
               "the store instead.";
    return "";
}

// Returns what to do, and adds why, if CUDA's memory model gives the reason; else nothing.
std::string remedyByModel(Finding& finding, const RaceExample& race) {
    const auto add = [&](std::string why, bool harmless) {
        finding.details.push_back(std::move(why));
        finding.remark = harmless;
        if (harmless) finding.kind = "formal-race";
    };
    switch (race.reason) {
        case RaceReason::SameValue:
            add("formally a race, but harmless on devices: all threads write the same value", true);
            return "Nothing needs to change on today's devices. To be formally right, use "
                   "atomicExch(), or let only one thread write.";
        case RaceReason::OneValue:
            add("formally a race, but harmless here: all threads that write it write the same "
                "value, and the opposite order leaves the same result in memory",
                true);
            return "Nothing needs to change if either value may be read, as in a breadth-first "
                   "search that reads the levels it sets. To be formally right, use an atomic, or "
                   "write to a separate array.";
        case RaceReason::NoAcquire:
            add("formally a race, but harmless on devices unless the thread has read the element "
                "before: the thread goes on after an atomic without a fence",
                true);
            return "Put a __threadfence() after the atomic by which the thread waits or learns "
                   "that it is the last. If the atomic is in a loop, put it after the loop.";
        case RaceReason::NoRelease: {
            const Place atomic = placeOf(placeOfInstruction(race.handedOverBy));
            add(joined("the other side signals at ", text(atomic), ": ",
                       sourceLine(atomic.file, atomic.line)),
                false);
            finding.others.push_back(atomic);
            return joined("Put a __threadfence() before the atomic or the flag in line ",
                          atomic.line,
                          ". Without a fence, other threads may see the signal before they see "
                          "what was written before it.");
        }
        case RaceReason::NarrowScope:
            add("atomics with _block are atomic only among the threads of one block", false);
            return "Use the atomic without _block (thread_scope_device), since threads of several "
                   "blocks run this line.";
        case RaceReason::UnderWay:
            return "Let the thread that copies wait before the source changes, as with "
                   "__pipeline_wait_prior(0). If another thread changes it, put a __syncthreads() "
                   "after the wait.";
        case RaceReason::Unchanged:
            add("each store there writes the value that is already there", false);
            return finding.remedy +
                   " If the stores change nothing for every input, as in Floyd's shortest paths, "
                   "store only if the value changes.";
        case RaceReason::Unordered:
            return ifUnordered(finding.remedy, race);
    }
    return "";
}

// Returns what to do if many threads store into one element, in one line; else nothing.
std::string ifManyStore(const RaceByLine& race, const Side& first, bool sameLine,
                        const KernelCall& call, const LaunchConfig& config) {
    if (!race.storedByMany) return "";
    const IndexNames& names = indexNames();
    std::string why = ifStoredByMany(race.shared, race.array, race.acrossBlocks, first, config);
    if (!why.empty() || !sameLine) return why;
    if (const std::string held = ifLimited(first.file, first.line); !held.empty()) return held;
    if (race.acrossBlocks && !race.shared) why = ifInOtherBlock(first, call, config);
    if (!why.empty()) return why;
    return ifByGrid(first.file, first.line) + "Give each thread its own element: check the index" +
           (race.shared ? " and the values of its variables. "
                        : joined(", such as ", names.row, " * (number of columns) + ", names.column,
                                 ". Check also that each thread has its own ", names.row, " and ",
                                 names.column,
                                 ", and that a test excludes threads past the end of a row. ")) +
           "If all threads mean the same element, let one thread store it, or use an atomic.";
}

std::string remedyOf(const RaceByLine& race, const Side& first, const Side& second,
                     const KernelCall& call, const LaunchConfig& config, int used) {
    const bool sameLine = first.isOnLineOf(second);
    if (std::string why = ifManyStore(race, first, sameLine, call, config); !why.empty())
        return why;
    if (race.acrossBlocks && first.kind == AccessKind::Store && second.kind == AccessKind::Atomic)
        return joined(
            "Nothing inside a launch makes other blocks wait for line ", first.line,
            ": set the element before the launch, with cudaMemset or in an earlier kernel.");
    if (race.acrossBlocks)
        return "Blocks run in any order and cannot wait for one another inside a launch: give each "
               "block its own elements, use an atomic, or split the kernel in two.";
    const bool inPlace = sameLine && second.kind == AccessKind::Load &&
                         loopsAround(first.file, {first.line}).empty();
    std::string blocked = ifBarrierInBranch(race.example, first, second, used);
    if (blocked.empty()) blocked = ifInBranch(race.example, first, second, used);
    if (inPlace && blocked.empty())
        return joined(
            "The statement reads elements that other threads write in the same statement. ",
            race.alsoAcrossBlocks
                ? "Blocks run in any order: write the results to another array."
                : "Read them into a variable, put a __syncthreads() after that, outside of any "
                  "branch, and then store. Or write to another array.");
    if (race.alsoAcrossBlocks)
        return "Blocks race here, too: they run in any order, and no barrier orders them. Check "
               "that this is the right array and the right index.";
    if (race.readsUnset)
        return joined("Line ", second.line, " reads elements before they are stored, and ", "line ",
                      first.line, " comes after it. Store before you read.");
    const bool bothStore = first.kind == AccessKind::Store && second.kind == AccessKind::Store;
    if (!blocked.empty() && bothStore && !sameLine)
        return joined(
            "Each thread should store its own element: compare the indices of the two "
            "lines. If both are right: ",
            blocked);
    if (!blocked.empty()) return blocked;
    const bool isLoad = second.kind == AccessKind::Load;
    if (sameLine) return remedyInOneLine(first, isLoad, used);
    const std::string index =
        bothStore ? joined("If the lines mean different elements, correct an index",
                           race.shared ? ", or the place where a tile in the array begins" : "",
                           ". If they mean the same element: ")
                  : "";
    return remedyBetweenLines(first, second, race.loop, index, used);
}

// Corrects the remedy if the line of a side names another array than it accesses.
void correctArray(Finding& finding, const Side& side, const Allocation& array,
                  const KernelCall& call) {
    if (side.kind == AccessKind::Atomic) return;  // its line may name a second array
    const auto named = arrayNamedAt(side.instruction, side.kind, call);
    if (!named || !named->allocation || named->allocation == &array) return;
    const std::string is = label(*named->allocation);
    finding.remedy =
        joined("Line ", side.line, " names ", named->parameter,
               is == named->parameter ? "" : ", which is " + is, ", but its index leads into ",
               label(array), ": it is too large here, or negative.",
               ifNarrow(side.file, side.line, finding.causedAt));
}

Finding findingOf(const KernelCall& call, const LaunchConfig& config, const std::string& array,
                  const Side& first, const Side& second, const RaceByLine& race, int used) {
    const RaceExample& one = race.example;
    const char *const does = verb(first.kind), *const othersDo = verb(second.kind);
    Finding finding(
        "race",
        joined("race on ", array, race.shared ? " (shared)" : "", ": this line ", does, " what "),
        first, remedyOf(race, first, second, call, config, used));
    finding.kernel = call.name;
    finding.count = race.count;
    finding.steps = {race.shared,    race.array,      one.offset,      one.block,
                     one.otherBlock, one.firstThread, one.secondThread};
    if (isOneStore(first, second)) finding.access = "writes " + array;
    if (first.kind == AccessKind::Load) {
        finding.title += "changes before its asynchronous copy has finished";
    } else if (first.isOnLineOf(second)) {
        finding.title += joined(race.acrossBlocks ? "another block " : "another thread ", othersDo,
                                " on the same line");
    } else {
        finding.title += joined("line ", second.line, " ", othersDo);
        finding.others.push_back(second);
        finding.details.push_back(
            joined("other side: ", text(second), ": ", sourceLine(second.file, second.line)));
    }
    const std::string block = coordinates(one.block, config.grid);
    finding.details.push_back(
        joined("for example ", elementName(race.shared, race.array, one.offset), ": ") +
        (race.acrossBlocks
             ? joined("block ", block, " ", does, " it, block ",
                      coordinates(one.otherBlock, config.grid), " ", othersDo,
                      " it in the same launch")
             : joined("thread ", coordinates(one.firstThread, config.block), " ", does,
                      " it, thread ", coordinates(one.secondThread, config.block), " ", othersDo,
                      " it, in block ", block,
                      one.reason == RaceReason::UnderWay ? ", while the copy is under way"
                                                         : ", with no barrier between")));
    finding.details.push_back(joined("found ", counted(race.count, "time"),
                                     ": each word (4 bytes) counts once ",
                                     race.acrossBlocks ? "per launch" : "between two barriers"));
    if (!race.shared) {
        const Allocation& allocation = *DeviceMemory::instance().allocations()[race.array];
        tellParameter(finding, allocation, call);
        for (const Side& side : {second, first}) correctArray(finding, side, allocation, call);
    }
    if (std::string remedy = remedyByModel(finding, one); !remedy.empty())
        finding.remedy = std::move(remedy);
    return finding;
}

// Returns the line of the outermost loop around `lower`, and not around `upper`, whose rounds race
// on the array; 0 for none.
int loopOfRace(const RacesByLine& races, const std::string& array, const Side& upper,
               const Side& lower) {
    for (const Loop& loop : loopsAround(lower.file, {lower.line})) {
        const auto holds = [&](const Side& side) {
            return side.file == lower.file && side.line >= loop.first && side.line <= loop.last;
        };
        if (holds(upper)) continue;
        return std::any_of(races.begin(), races.end(),
                           [&](const auto& one) {
                               const auto& [name, first, second, across] = one.first;
                               return name == array && !across && holds(first) && holds(second);
                           })
                   ? loop.first
                   : 0;
    }
    return 0;
}

}  // namespace

RaceLog racesOf(int used) {
    const std::vector<Worker*>& all = workers();
    RaceLog log;
    for (int w = 0; w < used; ++w) log.add(all[w]->races.log());
    const std::size_t allocations = DeviceMemory::instance().allocations().size();
    for (std::size_t id = 0; options().races && id < allocations; ++id) {
        // Memory that is only read cannot race.
        bool written = false;
        for (int w = 0; w < used; ++w) written |= all[w]->global[id].writtenIn > 0;
        if (!written) continue;
        std::vector<const Races::GlobalCells*> cells;
        for (int w = 0; w < used; ++w) {
            all[w]->runs.flush(static_cast<std::uint32_t>(id));
            cells.push_back(all[w]->races.cells(id));
        }
        findRacesAcrossBlocks(static_cast<std::uint32_t>(id), cells, log);
    }
    return log;
}

void reportRaces(const KernelCall& call, const LaunchConfig& config, int used, const RaceLog& log,
                 const std::map<UnsetRead, UnsetExample>& unset) {
    RacesByLine races = byLine(log);
    const auto readsUnset = [&](const RaceByLine& race, const Side& first, const Side& second) {
        return second.kind == AccessKind::Load && second.file == first.file &&
               second.line < first.line &&
               loopsAround(first.file, {first.line, second.line}).empty() &&
               std::any_of(unset.begin(), unset.end(), [&](const auto& read) {
                   return read.first.shared == race.shared && read.first.array == race.array &&
                          placeOf(placeOfInstruction(read.first.instruction)).line == second.line;
               });
    };
    // A wrong index is reported first: it causes the other races at its elements.
    std::set<std::pair<std::string, Side>> storedByMany;
    for (const auto& [key, race] : races)
        if (const auto& [array, first, second, across] = key; isOneStore(first, second))
            storedByMany.emplace(array, first);
    // Then the stored values are random, even if several threads store the same.
    const bool chance =
        !unset.empty() || std::any_of(races.begin(), races.end(), [](const auto& one) {
            return std::get<2>(one.first).kind != AccessKind::Store &&
                   one.second.example.reason >= RaceReason::NoRelease;
        });
    JoinedRaces findings;
    for (const bool ofOneStore : {true, false})
        for (auto& [key, race] : races) {
            const auto& [array, first, second, across] = key;
            const RaceReason reason = race.example.reason;
            if (isOneStore(first, second) != ofOneStore) continue;
            if (chance && (reason == RaceReason::SameValue || reason == RaceReason::OneValue))
                continue;
            race.readsUnset = readsUnset(race, first, second);
            race.alsoAcrossBlocks = !across && races.count({array, first, second, true}) > 0;
            race.storedByMany = storedByMany.count({array, first}) > 0;
            race.loop = loopOfRace(races, array, first, second);
            findings.add(findingOf(call, config, array, first, second, race, used), across,
                         race.example.reason);
        }
    findings.report();
}

}  // namespace cusim
