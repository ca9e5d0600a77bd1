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
#include "simulator/explain/race_findings.h"
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

// Adds how much was written, because a copy that was too short fills only the beginning. Returns
// what may be wrong with the size of the last fill; else nothing.
std::string noteFilledPart(Finding& finding, const Allocation& allocation) {
    const std::size_t filled = allocation.filledBytes, bytes = allocation.ownBytes();
    if (filled == 0 || filled >= bytes) return "";
    const Place at(allocation.filledAt);
    finding.details.push_back(
        joined(text(at), " fills ", filled, " of its ", counted(bytes, "byte")));
    finding.others.push_back(at);
    const std::string fills = joined("Line ", at.line, " fills ", counted(filled, "byte"));
    const std::string source = sourceLine(at.file, at.line);
    if (source.find("sizeof") != std::string::npos && filled == sizeof(void*))
        return fills +
               ", the size of a pointer. The sizeof of a pointer does not count what it points to: "
               "write the number of elements times the sizeof of one element.";
    if (source.find("Memcpy2D") != source.npos && allocation.marks &&
        !std::count(allocation.marks, allocation.marks + filled, 0))
        return fills +
               ", row by row. Does the kernel take rows that begin as far apart as that "
               "copy's rows of the target? See its second argument.";
    for (const std::size_t element : {sizeof(float), sizeof(double)})
        if (filled * element == bytes)
            return joined(fills, ", but the array has ", filled, " elements of ", element,
                          " bytes. Sizes are in bytes",
                          source.find("Memset") != std::string::npos ? ", also in cudaMemset" : "",
                          ": multiply by the sizeof of an element.");
    return "";
}

// Returns what to do about a read of the padding after a row of cudaMallocPitch; else nothing. The
// written bytes show how long a row is, and at which offset the next one begins.
std::string ifInPadding(const Allocation& array, std::size_t offset) {
    const std::string source = sourceLine(array.at.file, array.at.line);
    if (source.find("cudaMallocPitch") == source.npos || !array.marks) return "";
    const std::uint8_t *const marks = array.marks, *const end = marks + array.ownBytes();
    const auto pad = std::find(marks, end, 0);
    const auto next = std::find_if(pad, end, [](std::uint8_t mark) { return mark != 0; });
    const auto row = static_cast<std::size_t>(pad - marks);
    const auto pitch = static_cast<std::size_t>(next - marks);
    if (row == 0 || next == end || offset % pitch < row || !marks[offset / pitch * pitch])
        return "";
    return joined("The rows of ", label(array), " begin ", pitch,
                  " bytes apart (cudaMallocPitch in line ", array.at.line, "), and only the first ",
                  row,
                  " bytes of each are elements. Pass the pitch to the kernel: row r begins at "
                  "(float*)((char*)p + r * pitch). Or use cudaMalloc and cudaMemcpy.");
}

// Tests whether a block has no thread at the coordinates of an element in its array.
bool isBeyond(const dim3& block, const ArrayShape& shape, std::size_t offset) {
    const std::size_t index = offset / shape.elementBytes;
    if (shape.extents.size() == 1) return index >= std::size_t{block.x} * block.y * block.z;
    const std::size_t columns = shape.extents.back();
    return index % columns >= block.x || index / columns >= std::size_t{block.y} * block.z;
}

// Returns what to do about shared memory that no thread has stored.
std::string remedyForShared(const Place& at, bool byAtomic, const LaunchConfig& config,
                            std::uint32_t array, std::size_t offset, int used) {
    const std::string name = arrayName(true, array);
    if (onlyChanges(at.file, at.line, name, byAtomic))
        return joined(byAtomic ? "An atomic" : "The line", " changes what ", name,
                      " held before, but shared memory begins without a value. Store ",
                      "its first value, such as 0, and put a __syncthreads() before the first "
                      "change.");
    if (const int some = storedBySome(at.file, at.line, name, true))
        return joined("Each block has its own ", name,
                      ", and no block sees the stores of another one. The if in line ", some,
                      " lets only some blocks store into it. Let each block fill its own.");
    bool isStored = !options().count;
    for (int w = 0; w < used; ++w) {
        if (!workers()[w]->runner->skippedBarriers().empty())
            return "Some threads return before they store their elements. Let every thread store "
                   "its own, and reach each barrier.";
        const AccessCount& count = workers()[w]->shared[array].count;
        isStored |= count.stores + count.atomics > 0;
    }
    if (!isStored)
        return joined("No thread stores anything into ", arrayName(true, array),
                      ". Add the line that fills it, or check why that line does not run.");
    if (const int some = storedBySome(at.file, at.line, name, false))
        return joined("The if in line ", some, " lets only some threads store into ", name,
                      ", and an element that no thread stores has no value. Let each thread store "
                      "its own element; if there is nothing to load, store 0.0f.");
    const auto shape = sharedShape(array);
    const std::size_t threads = std::size_t{config.block.x} * config.block.y * config.block.z;
    const std::size_t elements = shape
                                     ? std::accumulate(shape->extents.begin(), shape->extents.end(),
                                                       std::size_t{1}, std::multiplies<>())
                                     : 0;
    const auto [line, stored] = otherStore(at.file, at.line, name);
    if (line > 0 && shape && shape->extents.size() == 3 && elements == threads * shape->extents[0])
        return joined("A block has a thread for each element of one ", name, "[...], and ", name,
                      " has ", shape->extents[0], ". Line ", line, " stores ", stored,
                      ", but this line reads ", name, "[", offset / threads / shape->elementBytes,
                      "], in which nothing is stored before: compare the first index of the two "
                      "lines. To load one ahead, load the first one before the loop.");
    const std::string each = "Some thread must store every element before it is read. ";
    return elements > threads && elements % threads == 0 && isBeyond(config.block, *shape, offset)
               ? joined(each, arrayName(true, array), " has ", elements, ", but a block has ",
                        counted(threads, "thread"), ". Let each thread store ", elements / threads,
                        " of them, in a loop, and check where it ends. Or launch blocks as large "
                        "as a tile, if each thread stores one element.")
               : each +
                     "Check that the line that stores it runs first. If there is nothing to load, "
                     "store 0.0f.";
}

// Returns the name of a filled array that the kernel receives and does not access; empty if there
// is none.
std::string neverRead(const Finding& finding, const KernelCall& call, int used) {
    for (const PointerParameter& own : pointerParameters(finding.file, finding.line, call)) {
        const Allocation* const array = DeviceMemory::instance().find(own.value);
        if (!array || !array->marks || std::count(array->marks, array->marks + array->bytes, 0) > 0)
            continue;
        if (std::all_of(workers().begin(), workers().begin() + used, [&](Worker* one) {
                const AccessCount& count = one->global[array->id].count;
                const std::uint64_t inRuns = one->loadsInRuns[one->shared.size() + array->id];
                return inRuns + count.loads + count.stores + count.atomics == 0;
            }))
            return own.name;
    }
    return "";
}

void reportUnset(const KernelCall& call, const LaunchConfig& config, const UnsetRead& read,
                 const UnsetExample& example, int used) {
    const bool byAtomic = kindOf(read.instruction) == AccessKind::Atomic;
    Finding finding("unset-read",
                    joined("the kernel reads ", arrayName(read.shared, read.array),
                           read.shared ? " (shared)" : "", " before it is written"),
                    placeOf(placeOfInstruction(read.instruction)),
                    read.shared
                        ? remedyForShared(placeOf(placeOfInstruction(read.instruction)), byAtomic,
                                          config, read.array, example.offset, used)
                        : "Fill all of the memory first, with cudaMemcpy or cudaMemset (sizes are "
                          "in bytes), or let the kernel store before it reads.",
                    {joined("for example ", elementName(read.shared, read.array, example.offset),
                            ", by thread ", coordinates(example.thread, config.block), " of block ",
                            coordinates(example.block, config.grid)),
                     counted(example.count, "read") + " of this kind"});
    finding.kernel = call.name;
    finding.count = example.count;
    finding.steps = {read.shared,   read.array,     example.offset, example.block,
                     example.block, example.thread, example.thread};
    if (read.shared) {
        finding.access = "reads unset " + arrayName(true, read.array);
    } else {
        const Allocation& allocation = *DeviceMemory::instance().allocations()[read.array];
        const std::string wrongSize = noteFilledPart(finding, allocation);
        tellParameter(finding, allocation, call);
        const auto named =
            arrayNamedAt(placeOfInstruction(read.instruction), kindOf(read.instruction), call);
        if (named && !named->parameter.empty()) finding.access = "reads unset " + named->parameter;
        const std::string name = named ? named->parameter : "";
        if (!wrongSize.empty())
            finding.remedy = wrongSize;
        else if (const std::string padding = ifInPadding(allocation, example.offset);
                 !padding.empty())
            finding.remedy = padding;
        else if (!name.empty() && onlyChanges(finding.file, finding.line, name, byAtomic))
            finding.remedy =
                joined("The line changes what ", name,
                       " held before, but it is uninitialized. To store a value, write =, not +=. "
                       "To add to a first value, set it before the launch, as with cudaMemset.");
        if (const std::string meant = options().count ? neverRead(finding, call, used) : "";
            !meant.empty())
            finding.remedy = joined("The kernel never reads ", meant,
                                    ": use it here if it is the one you mean.");
    }
    Runtime::instance().report(std::move(finding));
}

}  // namespace

void reportMemoryFindings(const KernelCall& call, const LaunchConfig& config, int used,
                          const RaceLog& log) {
    std::map<UnsetRead, UnsetExample> unset;
    for (int w = 0; w < used; ++w) UnsetReads::add(unset, workers()[w]->unset.found());
    reportRaces(call, config, used, log, unset);

    // Whether a racing thread reads before the other one writes is random, so the race's report
    // covers such reads.
    std::set<std::pair<bool, std::uint32_t>> racing;
    for (const auto& [pair, example] : log.races()) racing.emplace(pair.shared, pair.array);
    for (const auto& [read, example] : unset)
        if (racing.count({read.shared, read.array}) == 0)
            reportUnset(call, config, read, example, used);
}

namespace {

using SplitBarriers = std::map<std::pair<std::string, std::string>, SplitBarrier>;

SplitBarriers splitBarriers(int used) {
    SplitBarriers all;
    for (int w = 0; w < used; ++w)
        for (const SplitBarrier& one : workers()[w]->runner->splitBarriers()) {
            const auto [sum, isNew] = all.try_emplace({text(one.at), text(one.other)}, one);
            if (isNew) continue;
            sum->second.count += one.count;
            sum->second.block = std::min(sum->second.block, one.block);
        }
    return all;
}

// From compute capability 7.0 on a barrier counts threads; by the guide all of them must reach the
// same one ("Synchronization Functions").
void reportSplitBarriers(const std::string& kernel, const LaunchConfig& config,
                         const SplitBarriers& all) {
    for (const auto& [key, one] : all) {
        Finding finding(
            "formal-barrier",
            joined("threads of one block wait at two different barriers, here and in line ",
                   one.other.line),
            one.at,
            "Let every thread come to the same __syncthreads(): take it out of the branches.",
            {"formally wrong, but works on devices of compute capability 7.0 and later: there a "
             "barrier counts the threads that wait, whatever line each of them waits in",
             joined("for example in block ", coordinates(one.block, config.grid))});
        finding.others = {one.other};
        finding.kernel = kernel;
        finding.count = one.count;
        finding.remark = true;
        Runtime::instance().report(std::move(finding));
    }
}

// Returns how to move a barrier out of a branch of this file.
std::string outOf(const Branch& branch, const std::string& file) {
    const std::string colon = branch.text.empty() ? "" : ": " + branch.text;
    if (branch.isLoop && usesNoShared(file, {branch.line, branch.last}))
        return joined("The loop in line ", branch.line,
                      " runs fewer iterations in some threads than in others", colon,
                      ". It stores to no array and uses no shared memory, so that a barrier inside "
                      "of it orders nothing: take it out of the loop.");
    if (branch.isLoop)
        return joined(
            "The loop in line ", branch.line,
            " runs fewer iterations in some threads than in others", colon,
            ". Let all threads run the same number of iterations, and put an if around the "
            "work only.");
    return joined("The if in line ", branch.line, " excludes some threads", colon,
                  branch.hasElse ? ". Put one __syncthreads() after its else, in place of those "
                                   "inside of it."
                                 : ". End it before the barrier, and begin it again after the "
                                   "barrier.");
}

// Reports a barrier that not all threads reach, and the branch that leads some of them past it.
void reportDivergence(const std::string& kernel, const Where& at, std::uint64_t count,
                      std::vector<std::string> details) {
    const Jump jump = jumpOver(at.file, at.line);
    const Branch branch = branchOfThreads(at.file, {at.line});
    const int cause = branch.line > 0 ? branch.line : jump.line;
    Finding finding(
        "barrier-divergence",
        "some threads do not reach this barrier, which all threads must reach", at,
        branch.line > 0
            ? outOf(branch, at.file)
            : joined(
                  jump.line == 0
                      ? "Let every thread reach the barrier"
                      : joined("The ", jump.word, " in line ", jump.line,
                               " leads some threads past the barrier. Let every thread reach it"),
                  ": put the work of some threads into an if, without a ",
                  jump.line == 0 ? "return" : jump.word, ", and leave the barrier outside of it."),
        std::move(details));
    if (cause > 0) finding.others = {{at.file, cause}};
    finding.kernel = kernel;
    finding.count = count;
    Runtime::instance().report(std::move(finding));
}

// Reports the barriers in branches at which threads waited while others waited elsewhere. Forgets
// their consequence: the next barrier of all threads, which only some of them pass. Returns whether
// there is such a barrier.
bool reportBarriersInBranches(const std::string& kernel, const LaunchConfig& config,
                              const SplitBarriers& split, std::vector<SkippedBarrier>& skipped) {
    std::map<std::string, std::pair<SplitBarrier, bool>> inBranch;  // by line; and if it is `at`
    const auto follows = [&](const SkippedBarrier& late) {
        return std::any_of(split.begin(), split.end(), [&](const auto& one) {
            return late.at == one.second.at || late.at == one.second.other;
        });
    };
    if (std::none_of(skipped.begin(), skipped.end(), follows)) return false;
    for (const auto& [key, one] : split)
        for (const bool isAt : {true, false}) {
            const Where& at = isAt ? one.at : one.other;
            if (branchOfThreads(at.file, {at.line}).line > 0)
                inBranch.try_emplace(isAt ? key.first : key.second, one, isAt);
        }
    for (const auto& [key, found] : inBranch) {
        const auto& [one, isAt] = found;
        reportDivergence(
            kernel, isAt ? one.at : one.other, one.count,
            {joined(
                "for example in block ", coordinates(one.block, config.grid),
                ": the others wait at the barrier in line ", (isAt ? one.other : one.at).line,
                ", so from there on some threads have passed one barrier less than the others")});
    }
    if (!inBranch.empty())
        skipped.erase(std::remove_if(skipped.begin(), skipped.end(), follows), skipped.end());
    return !inBranch.empty();
}

}  // namespace

void nameBarrierInBranch(Finding& finding) {
    if (finding.kind != "barrier-divergence" || finding.others.size() < 2) return;
    for (const Place& at : finding.others)
        if (sourceLine(at.file, at.line).find("__syncthreads") == std::string::npos) return;
    for (const bool byJump : {false, true})
        for (const Place& at : finding.others) {
            const Branch branch = branchOfThreads(at.file, {at.line});
            const Jump jump = jumpOver(at.file, at.line);
            if (byJump ? jump.line == 0 || jump.word == "return" : branch.line == 0) continue;
            finding.file = at.file;
            finding.line = at.line;
            finding.remedy = byJump ? joined("The ", jump.word, " in line ", jump.line,
                                             " leads some threads past the barrier in line ",
                                             at.line, ", which all threads must reach: put an if ",
                                             "around the work instead.")
                                    : outOf(branch, at.file);
            return;
        }
    for (const Place& at : finding.others)
        for (const Loop& loop : loopsAround(at.file, {at.line})) {
            const Jump jump = jumpOver(at.file, loop.last);
            if (jump.word != "break" || jump.line < at.line ||
                loopsAround(at.file, {jump.line}).back().first != loop.first)
                continue;
            finding.remedy = joined(
                "The break in line ", jump.line, " ends the loop in line ", loop.first,
                " for some threads, and others come to the barrier in line ", at.line,
                " again. Let all threads run the whole loop, and put an if around the work.");
            return;
        }
}

// A card counts threads that have returned as arrived at a barrier, but they have also skipped the
// code before it.
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
    const SplitBarriers split = splitBarriers(used);
    if (!reportBarriersInBranches(kernel, config, split, all))
        reportSplitBarriers(kernel, config, split);
    for (const SkippedBarrier& one : all)
        reportDivergence(kernel, one.at, one.count,
                         {joined("for example thread ", coordinates(one.thread, config.block),
                                 " of block ", coordinates(one.block, config.grid)),
                          joined("blocks passed it ", counted(one.count, "time"),
                                 " without all their threads")});
}

}  // namespace cusim
