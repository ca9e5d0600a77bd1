#include "simulator/explain/memory_findings.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/explain/named_array.h"
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
    bool storedByMany = false;      // on the first side's line, too
    bool alsoAcrossBlocks = false;  // besides this race within a block
    bool readsUnset = false;        // on the second side's line, which stands above the store
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
        // Put the write first, since it is the one that waits or is waited for.
        const bool swap =
            first.kind == AccessKind::Load || (second.kind != AccessKind::Load && second < first);
        if (swap) {
            std::swap(first, second);
            std::swap(one.firstThread, one.secondThread);
            if (pair.acrossBlocks) std::swap(one.block, one.otherBlock);
        }
        RaceByLine& sum =
            result[{arrayName(pair.shared, pair.array), first, second, pair.acrossBlocks}];
        if (sum.count == 0 || one.before(sum.example)) {
            sum.example = one;
            sum.array = pair.array;
        }
        sum.count += example.count;
        sum.acrossBlocks = pair.acrossBlocks;
        sum.shared = pair.shared;
    }
    return result;
}

// Tests whether the kernel passed a barrier between the two lines. If so, the missing one is on the
// way back, in a loop.
bool barrierBetween(const std::string& file, int upper, int lower, int used) {
    for (int w = 0; w < used; ++w)
        for (const Where& at : workers()[w]->runner->barrierSites())
            if (at.file == file && at.line >= upper && at.line <= lower) return true;
    return false;
}

// Tests whether the kernel has as many barriers as its exercise needs.
bool hasEnoughBarriers(int used) {
    const std::uint64_t enough = options().enoughBarriers;
    return enough > 0 && std::any_of(workers().begin(), workers().begin() + used, [&](Worker* one) {
               return one->runner->mostBarriers() >= enough;
           });
}

std::string remedyOf(const RaceByLine& race, const Side& first, const Side& second, int used) {
    const bool sameLine = first.isOnLineOf(second);
    const bool bothStore = first.kind == AccessKind::Store && second.kind == AccessKind::Store;
    const IndexNames& names = indexNames();
    if (race.storedByMany)
        return "Give each thread an element of its own: is the index right" +
               (race.shared
                    ? ", and what its variables are set to? "
                    : joined(", such as ", names.row, " * (number of columns) + ", names.column,
                             ", and has each thread a ", names.row, " and ", names.column,
                             " of its own? Does a test keep out threads past "
                             "the end of a row? ")) +
               "Where they mean one element, let one thread store it, or use an atomic.";
    if (race.acrossBlocks)
        return "Blocks run in any order and cannot wait for one another inside a launch: give "
               "each block its own elements, use an atomic, or end the kernel in between.";
    if (race.alsoAcrossBlocks)
        return "Blocks race here, too: they run in any order, and no barrier orders them. Is this "
               "the array, and the index, that is meant?";
    if (race.readsUnset)
        return joined("Line ", second.line,
                      " reads elements into which nothing is stored yet, and ", "line ", first.line,
                      " comes behind it: which of the two is to come first?");
    if (sameLine && second.kind == AccessKind::Load)
        return "In a loop, put a __syncthreads() between its rounds, outside of any branch; "
               "elsewhere give each thread an element of its own, or use an atomic.";
    if (sameLine) return "Give each thread an element of its own, or use an atomic.";
    if (hasEnoughBarriers(used))
        return joined(
            "The kernel has as many barriers as it needs: does one stand in the wrong "
            "place, or is an index",
            bothStore ? ", or the array," : "", " wrong in one of the two lines?");
    const int upper = std::min(first.line, second.line), lower = std::max(first.line, second.line);
    // The lines alone do not tell whether they mean one element in turn, or two whose places
    // overlap.
    const std::string index =
        !bothStore ? ""
                   : joined("Do the lines mean different elements? Then correct an index",
                            race.shared ? ", or where a tile in the array begins" : "",
                            ". Do they mean one? ");
    if (first.file == second.file && !barrierBetween(first.file, upper, lower, used))
        return index + "Put a __syncthreads() between the two lines, outside of any branch.";
    return joined(index, "Put a __syncthreads() behind line ", lower,
                  ", outside of any branch, so that nobody comes back to line ", upper,
                  " while others are still there.");
}

// Corrects the remedy where the line of a side names another array than it comes to.
void tellArrayMeant(Finding& finding, const Side& side, const Allocation& array,
                    const KernelCall& call) {
    const auto named = arrayNamedAt(side.instruction, side.kind, call);
    if (!named || !named->allocation || named->allocation == &array) return;
    finding.remedy = joined("Line ", side.line, " names ", named->parameter, ", which is ",
                            label(*named->allocation), ", and its index leads into ", label(array),
                            ": it is too large here, or negative.", ifNarrow(side.file, side.line));
}

void reportRace(const KernelCall& call, const LaunchConfig& config, const std::string& array,
                const Side& first, const Side& second, const RaceByLine& race, int used) {
    const RaceExample& one = race.example;
    const char *const does = verb(first.kind), *const othersDo = verb(second.kind);
    Finding finding(
        "race",
        joined("race on ", array, race.shared ? " (shared)" : "", ": this line ", does, " what "),
        first, remedyOf(race, first, second, used));
    finding.kernel = call.name;
    finding.count = race.count;
    finding.steps = {race.shared,    race.array,      one.offset,      one.block,
                     one.otherBlock, one.firstThread, one.secondThread};
    if (isOneStore(first, second)) finding.access = "writes " + array;
    if (first.isOnLineOf(second)) {
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
                      " it, in block ", block, ", with no barrier between")));
    finding.details.push_back(
        joined("found at ", counted(race.count, "place"),
               race.acrossBlocks ? "" : ", each counted once between two barriers"));
    if (!race.shared) {
        const Allocation& allocation = *DeviceMemory::instance().allocations()[race.array];
        tellParameter(finding, allocation, call);
        for (const Side& side : {second, first}) tellArrayMeant(finding, side, allocation, call);
    }
    Runtime::instance().report(std::move(finding));
}

// Reports how much was written, since a copy that was too short fills only the beginning.
void noteFilledPart(Finding& finding, const Allocation& allocation) {
    if (!allocation.marks) return;
    const std::uint8_t* const marks = allocation.marks;
    const auto unset = std::count(marks, marks + allocation.bytes, std::uint8_t{0});
    const auto filled = allocation.bytes - static_cast<std::size_t>(unset);
    if (filled > 0 && unset > 0)
        finding.details.push_back(joined("of its ", counted(allocation.bytes, "byte"), " ", filled,
                                         " have been written"));
}

// Tests whether a block has no thread at the place that an element has in its array.
bool isBeyond(const dim3& block, const ArrayShape& shape, std::size_t offset) {
    const std::size_t index = offset / shape.elementBytes;
    if (shape.extents.size() == 1) return index >= std::size_t{block.x} * block.y * block.z;
    const std::size_t columns = shape.extents.back();
    return index % columns >= block.x || index / columns >= std::size_t{block.y} * block.z;
}

// Returns what to do about shared memory that no thread has stored.
std::string remedyForShared(const LaunchConfig& config, std::uint32_t array, std::size_t offset,
                            int used) {
    bool isStored = !options().count;
    for (int w = 0; w < used; ++w) {
        if (!workers()[w]->runner->skippedBarriers().empty())
            return "Some threads return before they have stored their elements: let every thread "
                   "store its own and come to each barrier.";
        const AccessCount& count = workers()[w]->shared[array].count;
        isStored |= count.stores + count.atomics > 0;
    }
    if (!isStored)
        return joined("No thread stores anything into ", arrayName(true, array),
                      ": is the line that fills it missing, or never run?");
    const auto shape = sharedShape(array);
    const std::size_t threads = std::size_t{config.block.x} * config.block.y * config.block.z;
    const std::size_t elements = shape
                                     ? std::accumulate(shape->extents.begin(), shape->extents.end(),
                                                       std::size_t{1}, std::multiplies<>())
                                     : 0;
    const std::string each = "Every element must be stored, by some thread, before it is read: ";
    return elements > threads && elements % threads == 0 && isBeyond(config.block, *shape, offset)
               ? joined(each, arrayName(true, array), " has ", elements, ", and a block ",
                        counted(threads, "thread"),
                        ". Where each thread stores one, is the launch's block as large as a "
                        "tile? Where a loop stores them, how far does it go?")
               : each +
                     "does the line that stores it come first? Where there is nothing to load, "
                     "it stores 0.0f.";
}

// Returns the name of a filled array that the kernel is given and does not touch; empty where none
// is.
std::string neverRead(const Finding& finding, const KernelCall& call, int used) {
    for (const PointerParameter& own : pointerParameters(finding.file, finding.line, call)) {
        const Allocation* const array = DeviceMemory::instance().find(own.value);
        if (!array || !array->marks || std::count(array->marks, array->marks + array->bytes, 0) > 0)
            continue;
        if (std::all_of(workers().begin(), workers().begin() + used, [&](Worker* one) {
                const AccessCount& count = one->global[array->id].count;
                return count.loads + count.stores + count.atomics == 0;
            }))
            return own.name;
    }
    return "";
}

void reportUnset(const KernelCall& call, const LaunchConfig& config, const UnsetRead& read,
                 const UnsetExample& example, int used) {
    Finding finding("unset-read",
                    joined("the kernel reads ", arrayName(read.shared, read.array),
                           read.shared ? " (shared)" : "", " where nothing has written it"),
                    placeOf(placeOfInstruction(read.instruction)),
                    read.shared
                        ? remedyForShared(config, read.array, example.offset, used)
                        : "Fill the memory with cudaMemcpy or cudaMemset first, all of it (sizes "
                          "are in bytes), or let the kernel store before it reads.",
                    {joined("for example ", elementName(read.shared, read.array, example.offset),
                            ", by thread ", coordinates(example.thread, config.block), " of block ",
                            coordinates(example.block, config.grid)),
                     counted(example.count, "read") + " of this kind"});
    finding.kernel = call.name;
    finding.count = example.count;
    finding.steps = {read.shared,   read.array,     example.offset, example.block,
                     example.block, example.thread, example.thread};
    if (!read.shared) {
        const Allocation& allocation = *DeviceMemory::instance().allocations()[read.array];
        noteFilledPart(finding, allocation);
        tellParameter(finding, allocation, call);
        const auto named =
            arrayNamedAt(placeOfInstruction(read.instruction), AccessKind::Load, call);
        if (named && !named->parameter.empty()) finding.access = "reads unset " + named->parameter;
        if (const std::string meant = options().count ? neverRead(finding, call, used) : "";
            !meant.empty())
            finding.remedy = joined("The kernel never reads ", meant, ": is that meant here?");
    }
    Runtime::instance().report(std::move(finding));
}

}  // namespace

void reportMemoryFindings(const KernelCall& call, const LaunchConfig& config, int used) {
    const std::vector<Worker*>& all = workers();
    RaceLog log;
    for (int w = 0; w < used; ++w) log.add(all[w]->races.log());
    const std::size_t allocations = DeviceMemory::instance().allocations().size();
    for (std::size_t id = 0; options().races && id < allocations; ++id) {
        // Memory that is only read cannot race.
        bool written = !options().count;
        for (int w = 0; w < used; ++w) {
            const AccessCount& count = all[w]->global[id].count;
            written |= count.stores + count.atomics > 0;
        }
        if (!written) continue;
        std::vector<const Races::GlobalCells*> cells;
        for (int w = 0; w < used; ++w) cells.push_back(all[w]->races.cells(id));
        findRacesAcrossBlocks(static_cast<std::uint32_t>(id), cells, log);
    }
    RacesByLine races = byLine(log);
    std::map<UnsetRead, UnsetExample> unset;
    for (int w = 0; w < used; ++w) UnsetReads::add(unset, all[w]->unset.found());
    const auto readsUnset = [&](const RaceByLine& race, const Side& first, const Side& second) {
        return second.kind == AccessKind::Load && second.file == first.file &&
               second.line < first.line &&
               loopsAround(first.file, {first.line, second.line}).empty() &&
               std::any_of(unset.begin(), unset.end(), [&](const auto& read) {
                   return read.first.shared == race.shared && read.first.array == race.array &&
                          placeOf(placeOfInstruction(read.first.instruction)).line == second.line;
               });
    };
    // A wrong index is told first: what else happens to its elements follows from it.
    std::set<std::pair<std::string, Side>> storedByMany;
    for (const auto& [key, race] : races)
        if (const auto& [array, first, second, across] = key; isOneStore(first, second))
            storedByMany.emplace(array, first);
    for (const bool ofOneStore : {true, false})
        for (auto& [key, race] : races) {
            const auto& [array, first, second, across] = key;
            if (isOneStore(first, second) != ofOneStore) continue;
            race.readsUnset = readsUnset(race, first, second);
            race.alsoAcrossBlocks = !across && races.count({array, first, second, true}) > 0;
            race.storedByMany = first.isOnLineOf(second) && storedByMany.count({array, first}) > 0;
            reportRace(call, config, array, first, second, race, used);
        }

    // Whether a racing thread reads before the other writes is chance, so the race's report covers
    // such reads.
    std::set<std::pair<bool, std::uint32_t>> racing;
    for (const auto& [pair, example] : log.races()) racing.emplace(pair.shared, pair.array);
    for (const auto& [read, example] : unset)
        if (racing.count({read.shared, read.array}) == 0)
            reportUnset(call, config, read, example, used);
}

// A device counts threads that have returned as arrived at a barrier, but they have also skipped
// what stands before it.
void reportSkippedBarriers(const std::string& kernel, const LaunchConfig& config, int used) {
    std::vector<SkippedBarrier> all;
    for (int w = 0; w < used; ++w)
        for (const SkippedBarrier& one : workers()[w]->runner->skippedBarriers()) {
            const auto found = std::find_if(
                all.begin(), all.end(), [&](const SkippedBarrier& s) { return s.at == one.at; });
            if (found == all.end()) {
                all.push_back(one);
                continue;
            }
            if (one.block < found->block) {
                found->block = one.block;
                found->thread = one.thread;
            }
            found->count += one.count;
        }
    std::sort(all.begin(), all.end(), [](const SkippedBarrier& a, const SkippedBarrier& b) {
        const int files = std::strcmp(a.at.file, b.at.file);
        return files != 0 ? files < 0 : a.at.line < b.at.line;
    });
    for (const SkippedBarrier& one : all) {
        Finding finding(
            "barrier-divergence",
            "threads have ended without coming to this barrier, which all threads must reach",
            one.at,
            "Let every thread come to the barrier: put what some must not do into an if, without "
            "a return, and leave the barrier outside of it.",
            {joined("for example thread ", coordinates(one.thread, config.block), " of block ",
                    coordinates(one.block, config.grid)),
             joined("blocks passed it ", counted(one.count, "time"),
                    " without all their threads")});
        finding.kernel = kernel;
        finding.count = one.count;
        Runtime::instance().report(std::move(finding));
    }
}

}  // namespace cusim
