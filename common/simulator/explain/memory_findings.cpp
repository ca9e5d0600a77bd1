#include "simulator/explain/memory_findings.h"

#include <algorithm>
#include <map>
#include <set>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/findings/coordinates.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"

namespace cusim {
namespace {

std::string times(std::uint64_t count, const char* word) {
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

// One side of a race. Several instructions of a line are one side.
struct Side {
    std::string file;
    int line = 0;
    AccessKind kind{};

    bool operator<(const Side& other) const {
        return std::tie(file, line, kind) < std::tie(other.file, other.line, other.kind);
    }
};

Side sideOf(Instruction instruction) {
    const SourcePlace place = placeOf(placeOfInstruction(instruction));
    return {place.file, place.line, kindOf(instruction)};
}

struct RaceByLine {
    std::uint32_t array = 0;
    std::uint64_t count = 0;
    RaceExample example;
    bool acrossBlocks = false;
    bool shared = false;
};
using RacesByLine = std::map<std::tuple<std::string, Side, Side, bool>, RaceByLine>;

RacesByLine byLine(const RaceLog& log) {
    RacesByLine result;
    std::map<Instruction, Side> sides;
    const auto side = [&](Instruction instruction) {
        const auto [found, isNew] = sides.try_emplace(instruction);
        if (isNew) found->second = sideOf(instruction);
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

std::string remedyOf(const RaceByLine& race, const Side& first, const Side& second, int used) {
    const bool sameLine = first.file == second.file && first.line == second.line;
    const bool bothStore = first.kind == AccessKind::Store && second.kind == AccessKind::Store;
    const IndexNames& names = indexNames();
    if (sameLine && bothStore)
        return "Give each thread an element of its own: is the index right" +
               (race.shared ? "? "
                            : ", such as " + names.row + " * (number of columns) + " +
                                  names.column + ", and has each thread a " + names.row + " and " +
                                  names.column + " of its own? ") +
               "Where they mean one element, use an atomic.";
    if (race.acrossBlocks)
        return "Blocks run in any order and cannot wait for one another inside a launch: give "
               "each block its own elements, use an atomic, or end the kernel in between.";
    if (sameLine && second.kind == AccessKind::Load)
        return "In a loop, put a __syncthreads() between its rounds, outside of any branch; "
               "elsewhere give each thread an element of its own, or use an atomic.";
    if (sameLine) return "Give each thread an element of its own, or use an atomic.";
    const int upper = std::min(first.line, second.line), lower = std::max(first.line, second.line);
    // The lines alone do not tell whether they mean one element in turn, or two whose places
    // overlap.
    const std::string index = !bothStore ? ""
                              : race.shared
                                  ? "Do the lines mean different elements? Then correct an index, "
                                    "or where a tile in the array begins. Do they mean one? "
                                  : "Do the lines mean different elements? Then correct an index. "
                                    "Do they mean one? ";
    if (first.file == second.file && !barrierBetween(first.file, upper, lower, used))
        return index + "Put a __syncthreads() between the two lines, outside of any branch.";
    return index + "Put a __syncthreads() behind line " + std::to_string(lower) +
           ", outside of any branch, so that nobody comes back to line " + std::to_string(upper) +
           " while others are still there.";
}

void reportRace(const std::string& kernel, const LaunchConfig& config, const std::string& array,
                const Side& first, const Side& second, const RaceByLine& race, int used) {
    Finding finding("race", "", first.file, first.line);
    finding.kernel = kernel;
    const bool sameLine = first.file == second.file && first.line == second.line;
    finding.title = "race on " + array + (race.shared ? " (shared)" : "") + ": this line " +
                    verb(first.kind) + " what ";
    if (sameLine)
        finding.title += std::string(race.acrossBlocks ? "another block " : "another thread ") +
                         verb(second.kind) + " on the same line";
    else
        finding.title += "line " + std::to_string(second.line) + " " + verb(second.kind);
    const std::string source = sourceLine(second.file, second.line);
    if (!sameLine) {
        finding.others.push_back({second.file, second.line});
        finding.details.push_back("other side: " + text(finding.others.back()) + ": " + source);
    }
    const std::string where = elementName(race.shared, race.array, race.example.offset);
    if (race.acrossBlocks)
        finding.details.push_back("for example " + where + ": block " +
                                  coordinates(race.example.block, config.grid) + " " +
                                  verb(first.kind) + " it, block " +
                                  coordinates(race.example.otherBlock, config.grid) + " " +
                                  verb(second.kind) + " it in the same launch");
    else
        finding.details.push_back(
            "for example " + where + ": thread " +
            coordinates(race.example.firstThread, config.block) + " " + verb(first.kind) +
            " it, thread " + coordinates(race.example.secondThread, config.block) + " " +
            verb(second.kind) + " it, in block " + coordinates(race.example.block, config.grid) +
            ", with no barrier between");
    finding.count = race.count;
    finding.details.push_back(
        "found at " + times(race.count, "place") +
        (race.acrossBlocks ? "" : ", each counted once between two barriers"));
    finding.remedy = remedyOf(race, first, second, used);
    Runtime::instance().report(std::move(finding));
}

// Reports how much was written, since a copy that was too short fills only the beginning.
void noteFilledPart(Finding& finding, const Allocation& allocation) {
    if (!allocation.marks) return;
    const std::uint8_t* const marks = allocation.marks;
    const auto unset = std::count(marks, marks + allocation.bytes, std::uint8_t{0});
    const auto filled = allocation.bytes - static_cast<std::size_t>(unset);
    if (filled > 0)
        finding.details.push_back("of its " + times(allocation.bytes, "byte") + " " +
                                  std::to_string(filled) + " have been written");
}

void reportUnset(const std::string& kernel, const LaunchConfig& config, const UnsetRead& read,
                 const UnsetExample& example) {
    const SourcePlace place = placeOf(placeOfInstruction(read.instruction));
    const std::string array = arrayName(read.shared, read.array);
    Finding finding("unset-read",
                    "the kernel reads " + array + (read.shared ? " (shared)" : "") +
                        " where nothing has written it",
                    place.file, place.line);
    finding.kernel = kernel;
    finding.details.push_back("for example " +
                              elementName(read.shared, read.array, example.offset) +
                              ", by thread " + coordinates(example.thread, config.block) +
                              " of block " + coordinates(example.block, config.grid));
    finding.count = example.count;
    finding.details.push_back(times(example.count, "read") + " of this kind");
    finding.remedy = read.shared
                         ? "Every element must be stored, by some thread, before it is read: put "
                           "0.0f where there is nothing to load."
                         : "Fill the memory with cudaMemcpy or cudaMemset first, all of it (sizes "
                           "are in bytes), or let the kernel store before it reads.";
    if (!read.shared) noteFilledPart(finding, *DeviceMemory::instance().allocations()[read.array]);
    Runtime::instance().report(std::move(finding));
}

}  // namespace

void reportMemoryFindings(const std::string& kernel, const LaunchConfig& config, int used) {
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
        cells.reserve(static_cast<std::size_t>(used));
        for (int w = 0; w < used; ++w) cells.push_back(all[w]->races.cells(id));
        findRacesAcrossBlocks(static_cast<std::uint32_t>(id), cells, log);
    }
    for (const auto& [key, race] : byLine(log))
        reportRace(kernel, config, std::get<0>(key), std::get<1>(key), std::get<2>(key), race,
                   used);

    // Whether a racing thread reads before the other writes is chance, so the race's report covers
    // such reads.
    std::set<std::pair<bool, std::uint32_t>> racing;
    for (const auto& [pair, example] : log.races()) racing.emplace(pair.shared, pair.array);
    std::map<UnsetRead, UnsetExample> unset;
    for (int w = 0; w < used; ++w) UnsetReads::add(unset, all[w]->unset.found());
    for (const auto& [read, example] : unset)
        if (racing.count({read.shared, read.array}) == 0)
            reportUnset(kernel, config, read, example);
}

}  // namespace cusim
