#include "simulator/explain/race_remedies.h"

#include <algorithm>
#include <map>
#include <set>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/explain/device_words.h"
#include "simulator/explain/named_array.h"
#include "simulator/explain/thread_flow.h"
#include "simulator/findings/loops.h"
#include "simulator/findings/source_lines.h"
#include "simulator/findings/statements.h"
#include "simulator/include/cusim/builtins.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"

namespace cusim {
namespace {

// Tests whether the kernel passed a barrier between the two lines. Then the missing one is between
// the rounds of a loop.
bool barrierBetween(const std::string& file, int upper, int lower, int used) {
    for (int w = 0; w < used; ++w)
        for (const Where& at : workers()[w]->runner->barrierSites())
            if (at.file == file && at.line >= upper && at.line <= lower) return true;
    return false;
}

// Returns the most barriers that a thread has passed, if the exercise needs no more; else 0.
std::uint64_t enoughBarriers(int used) {
    std::uint64_t most = 0;
    for (int w = 0; w < used; ++w) most = std::max(most, workers()[w]->runner->mostBarriers());
    const std::uint64_t enough = options().enoughBarriers;
    return enough > 0 && most >= enough ? most : 0;
}

std::string linesOf(const Loop& one) {
    return one.first == one.last ? joined("line ", one.first)
                                 : joined("lines ", one.first, " to ", one.last);
}

// The outermost loop of several lines, or if of some threads, around a line and not around the
// other one, such as "the loop in lines 40 to 42"; empty without one.
struct Around : Loop {
    std::string text;
};
Around aroundOnly(const std::string& file, int line, int other) {
    const auto isOnly = [&](int first, int last) {
        return first > 0 && first < last && (other < first || other > last);
    };
    Around found;
    for (const Loop& loop : loopsAround(file, {line}))
        if (found.first == 0 && isOnly(loop.first, loop.last)) found = {loop, "the loop"};
    const Branch branch = branchOfThreads(file, {line});
    if (isOnly(branch.line, branch.last) && (found.first == 0 || branch.line < found.first))
        found = {{branch.line, branch.last}, branch.isLoop ? "the loop" : "the if"};
    if (found.first > 0) found.text += " in " + linesOf(found);
    return found;
}

class Calls : FunctionStatements {
  public:
    using FunctionStatements::FunctionStatements;
    std::string_view name() const {
        return end_ == 0 ? "" : tokens_[openingOf(first_ - 1) - 1].text;
    }
    // Returns the only line that calls a function; 0 if none does, or several.
    int lineOf(std::string_view function) const {
        std::vector<int> lines;
        for (std::size_t i = first_; i < end_; ++i)
            if (is(i, function) && is(i + 1, "(")) lines.push_back(tokens_[i].line);
        return lines.size() == 1 ? lines.front() : 0;
    }
};

// Returns the line at which the function of `line` calls the function of `other`; 0 if both are in
// one function, or if there is not exactly one call.
int callFrom(const std::string& file, int line, int other) {
    const std::string text = sourceText(file);
    const Calls caller(text, line), called(text, other);
    const bool both = !caller.name().empty() && !called.name().empty();
    return both && caller.name() != called.name() ? caller.lineOf(called.name()) : 0;
}

// Returns where a barrier between two lines belongs.
std::string placeBetween(const std::string& file, int upper, int lower, int loop) {
    const Around above = aroundOnly(file, upper, lower), below = aroundOnly(file, lower, upper);
    if (loop > upper && loop <= lower)
        return joined("between the two lines, at the start of each round of the loop in line ",
                      loop);
    if (above.first > 0) return "between the two lines, after " + above.text;
    if (below.first > 0) return "between the two lines, before " + below.text;
    return "between the two lines";
}

// One element that many threads store, with the facts for its report.
struct SharedStore {
    StoredByMany many;
    std::string name, keyword;
    bool shared, acrossBlocks;
    bool declared, single;  // the array is a variable of the file; it has one element
    bool ofBlock() const { return acrossBlocks && many.byThread; }  // one thread of each block
    bool isForAll() const { return many.isForAll && (!acrossBlocks || declared); }
};

// Returns why they all store into it.
std::string causeOf(const SharedStore& one) {
    const std::string each =
        one.ofBlock() ? ", and each block writes it. " : ", and each of them writes it. ";
    const std::string all = one.ofBlock() ? "all blocks of the grid"
                            : one.shared  ? "all threads of the block"
                                          : "all threads of the grid";
    const std::string other = one.acrossBlocks ? "blocks" : "threads";
    const StoredByMany& many = one.many;
    if (one.single) return joined(one.keyword, " makes one ", one.name, " for ", all, each);
    if (many.missing.empty())
        return joined("The index of ", many.text, " is read from memory: several ", other,
                      " may find the same number there. ");
    if (one.isForAll()) return joined(many.text, " is the same element for ", all, each);
    return joined("The index of ", many.text, " does not depend on ", many.missing, ": ", other,
                  " that differ only there write the same element. ");
}

// Returns the place to declare a variable of each block or thread, if that may be meant.
std::string declarationFor(const SharedStore& one) {
    if (!one.isForAll() || !one.declared || one.many.adds) return "";
    if (one.ofBlock())
        return "If each block needs its own, declare it in the kernel with __shared__. ";
    return joined("If each thread needs its own, declare it in the kernel without ", one.keyword,
                  ". ");
}

// Returns what to do if the element is meant for all.
std::string changeFor(const SharedStore& one) {
    if (one.many.adds)
        return "Each thread reads the value, changes it and writes it back. A change by another "
               "thread in between is lost, and a __syncthreads() does not help: use an atomic, "
               "such as atomicAdd() or atomicMax().";
    if (one.isForAll())
        return joined("If all threads should share one value, let one ",
                      one.ofBlock() ? "block" : "thread", " store it",
                      one.shared ? ", and put a __syncthreads() after the store." : ".");
    if (one.many.missing.empty()) return "";
    if (one.single)
        return joined("Threads that differ in ", one.many.missing, " overwrite each other: make ",
                      one.name,
                      " an array with an element for each of them, or let one thread store it.");
    return "Add it to the index, or launch fewer threads.";
}

// Returns what to do if each thread of a block stores a number into all elements of an array, in
// loops, and the block has a thread for each; else empty.
std::string ifLoopsStoreAll(const SharedStore& one, std::uint32_t id, const Place& at,
                            const LaunchConfig& config) {
    const auto shape = one.shared ? sharedShape(id) : std::nullopt;
    const std::string& element = one.many.text;
    const std::string source = sourceLine(at.file, at.line);
    const std::size_t value = source.find(element + " = ");
    if (!shape || !one.isForAll() || one.many.adds || value == source.npos ||
        source.find_first_of("0123456789", value + element.size() + 3) !=
            value + element.size() + 3)
        return "";
    std::size_t elements = 1, counted = 0;
    for (const std::size_t extent : shape->extents) elements *= extent;
    for (const Loop& loop : loopsAround(at.file, {at.line})) {
        const std::string head = sourceLine(at.file, loop.first);
        const std::size_t is = head.find(" = ");
        if (head.rfind("for (", 0) != 0 || is == head.npos) continue;
        const std::size_t name = head.find_last_of(" (", is - 1) + 1;
        counted += element.find("[" + head.substr(name, is - name) + "]") != element.npos;
    }
    const auto [line, own] = otherStore(at.file, at.line, one.name);
    if (counted != shape->extents.size() || line == 0 ||
        elements != std::size_t{config.block.x} * config.block.y * config.block.z)
        return "";
    return joined("Each thread stores to all of ", one.name,
                  ", and so over what other threads have stored. Let each thread store to its own "
                  "element only, without loops: ",
                  own, ", as in line ", line, ".");
}

}  // namespace

std::pair<int, std::string> otherStore(const std::string& file, int line, const std::string& name) {
    for (int away = 1; away <= 20; ++away)
        for (const int near : {line - away, line + away}) {
            const std::string source = near > 0 ? sourceLine(file, near) : "";
            const std::size_t end = source.find("] = ");
            if (source.rfind(name + "[", 0) == 0 && end != source.npos)
                return {near, source.substr(0, end + 1)};
        }
    return {0, ""};
}

std::string ifStoredByMany(bool shared, std::uint32_t id, bool acrossBlocks, const Place& at,
                           const LaunchConfig& config) {
    const Allocation* const array =
        shared ? nullptr : DeviceMemory::instance().allocations()[id].get();
    const bool declared = !array || array->isVariable();
    const std::string name = arrayName(shared, id);
    const bool single =
        array ? declared && array->ownBytes() <= sizeof(double) : id > 1 && !sharedShape(id);
    const dim3& extents = acrossBlocks ? config.grid : config.block;
    const SharedStore one{storedByMany(at.file, at.line, single ? name : "", extents, acrossBlocks),
                          name,
                          shared ? "__shared__" : "__device__",
                          shared,
                          acrossBlocks,
                          declared,
                          single};
    if (std::string all = ifLoopsStoreAll(one, id, at, config); !all.empty()) return all;
    return one.many.text.empty() ? "" : causeOf(one) + declarationFor(one) + changeFor(one);
}

std::string ifInBranch(const RaceExample& one, const Place& first, const Place& second, int used) {
    if (first.file != second.file) return "";
    const int upper = std::min(first.line, second.line), lower = std::max(first.line, second.line);
    const Branch branch = branchOfThreads(first.file, {upper, lower});
    if (branch.line == 0) return "";
    const std::vector<Loop> loops = loopsAround(first.file, {upper, lower});
    bool between = upper < lower && loops.empty();
    const bool holdsLoop =
        !loops.empty() && branch.line <= loops.back().first && branch.last >= loops.back().last;
    const std::vector<Loop> outer = loopsAround(first.file, {branch.line - 1, branch.last});
    const bool inRound = !outer.empty() && outer.back().first < branch.line;
    const bool ordered =
        inRound && barrierBetween(first.file, outer.back().first, outer.back().last, used);
    between |= upper < lower && ordered && !holdsLoop && !branch.isLoop;
    if (!between && !holdsLoop && !branch.ofWarp && !inRound) return "";
    const std::string where =
        joined(branch.isLoop ? "The loop in line " : "The if in line ", branch.line);
    if (branch.ofWarp)
        return where +
               " lets only one warp in. The threads of a warp need not run in step, even if the "
               "array is volatile: put a __syncwarp() after each read and after each write, as in "
               "float sum = s[t] + s[t + 16]; __syncwarp(); s[t] = sum; __syncwarp();";
    const std::string warp = one.firstThread / warpSize == one.secondThread / warpSize
                                 ? " If all these threads are in one warp, a __syncwarp() after "
                                   "each read and after each write is enough."
                                 : "";
    if (inRound && !ordered)
        return joined("The loop in line ", outer.back().first,
                      " has no barrier: put one __syncthreads() into each of its rounds, before or "
                      "after the ",
                      branch.isLoop ? "loop" : "if", " in ", linesOf({branch.line, branch.last}),
                      ", and outside of it.", warp);
    if (inRound && !between && !holdsLoop) return "";
    if (branch.isLoop)
        return joined(where,
                      " does not run the same number of iterations in all threads, so it must "
                      "not contain a __syncthreads(). Let all threads run the same number of "
                      "iterations, with an if around the work, and put the __syncthreads() "
                      "outside of that if.",
                      warp);
    return joined(
        where,
        " lets only some threads of the block in, so it must not contain a __syncthreads(). ",
        between
            ? joined("End it after line ", upper,
                     ", put a __syncthreads() there, and begin it again before line ", lower, ".")
            : "Put the if into the loop, around the work, and a __syncthreads() "
              "after it.",
        warp);
}

std::string ifInOtherBlock(const Place& at, const KernelCall& call, const LaunchConfig& config) {
    const IndexNames& names = indexNames();
    const Finding here("race", "", at, "");
    for (const auto& [name, axis] : {std::pair(names.column, "x"), std::pair(names.row, "y")})
        if (const int line = changedAt(here, call, name);
            line > 0 && sourceLine(at.file, line).find(joined(name, " += blockDim.", axis)) !=
                            std::string::npos)
            return joined("Line ", line, " adds blockDim.", axis, " to ", name,
                          ", so a block goes on to elements of the next block. A stride over the "
                          "whole grid is gridDim.",
                          axis, " * blockDim.", axis,
                          ". If the grid covers the matrix, no loop is needed.");
    const std::string length = lengthOfOpenRow(at.file, at.line, names.column);
    const long long threads = static_cast<long long>(config.grid.x) * config.block.x;
    for (const NumberParameter& one : numbersInKernel(here, call)) {
        if (one.name != length || one.value >= threads || threads >= one.value + config.block.x)
            continue;
        const auto x = static_cast<unsigned>(one.value), width = config.block.x;
        const auto is =
            indexValue(here, call, names.column,
                       {{x % width, 0, 0}, {x / width, 0, 0}, config.block, config.grid});
        const std::string grid = joined("The grid has ", threads, " threads in x, and a row has ",
                                        one.name, " = ", one.value, " elements. ");
        const std::string test = joined("test ", names.column, " < ", one.name, ".");
        if (is && is->value < one.value)
            return joined(grid, "Line ", is->line, " gives thread ", x, " in x the ", names.column,
                          " ", is->value,
                          ", which belongs to another thread. Threads past the end of "
                          "a row must do nothing: compute ",
                          names.column, " without a limit, and ", test);
        return joined(grid, "A thread with ", names.column, " ", one.value,
                      " stores into the next row: ", test);
    }
    return ifByGrid(at.file, at.line).empty() ? ifBlocksOverlap(here, call, config) : "";
}

std::string ifBarrierInBranch(const RaceExample& one, const Place& first, const Place& second,
                              int used) {
    const std::vector<Loop> loops = loopsAround(first.file, {first.line, second.line});
    if (first.file != second.file || loops.empty()) return "";
    const int upper = std::min(first.line, second.line), lower = std::max(first.line, second.line);
    std::map<bool, std::pair<int, int>> inBranch;  // by whether it is between the two lines
    std::set<bool> always;
    for (int w = 0; w < used; ++w)
        for (const Where& at : workers()[w]->runner->barrierSites()) {
            if (at.file != first.file || at.line < loops.back().first ||
                at.line > loops.back().last)
                continue;
            const bool between = upper < lower && at.line >= upper && at.line <= lower;
            const int branch = lineOfCondition(first.file, at.line, "if");
            if (branch > loops.back().first)
                inBranch[between] = {at.line, branch};
            else
                always.insert(between);
        }
    if (inBranch.size() != 1 || always.count(inBranch.begin()->first) > 0 ||
        (upper < lower && always.empty()))
        return "";
    const auto [barrier, branch] = inBranch.begin()->second;
    return joined("The barrier in line ", barrier, " stands in the if in line ", branch,
                  ": an iteration in which that if is false has no barrier. Put a "
                  "__syncthreads() into each iteration, outside of that if.",
                  one.firstThread / warpSize == one.secondThread / warpSize
                      ? ""
                      : " These two threads are of different warps: a __syncwarp() makes only the "
                        "threads of one warp wait.");
}

std::string remedyInOneLine(const Place& at, bool isLoad, int used) {
    const std::vector<Loop> loops = loopsAround(at.file, {at.line});
    if (isLoad && !loops.empty() &&
        barrierBetween(at.file, loops.back().first, loops.back().last, used))
        return "This loop already has a barrier, but a thread reads an element that another thread "
               "writes in the same iteration. Check the index of the read and of the write. If "
               "both "
               "are right, read into a variable, put a __syncthreads() after that, outside of any "
               "branch, and then store.";
    if (isLoad)
        return "In a loop, put a __syncthreads() between its iterations, outside of any branch. "
               "Otherwise give each thread its own element, or use an atomic.";
    return "Give each thread its own element, or use an atomic.";
}

std::string remedyBetweenLines(const Place& first, const Place& second, int loop,
                               const std::string& index, int used) {
    const bool sameFile = first.file == second.file;
    // If one of the lines is in a called function, the barrier comes before or after the call.
    const int call = sameFile ? callFrom(first.file, second.line, first.line) : 0;
    const int back = sameFile && call == 0 ? callFrom(first.file, first.line, second.line) : 0;
    const int one = call > 0 ? call : first.line, other = back > 0 ? back : second.line;
    const int upper = std::min(one, other), lower = std::max(one, other);
    const std::string called = call + back == 0
                                   ? ""
                                   : joined(" Line ", call + back, " calls the function with line ",
                                            call > 0 ? first.line : second.line, ".");
    const bool between = sameFile && barrierBetween(first.file, upper, lower, used);
    const bool comesBack = between && mayComeBack(first.file, upper, lower);
    if (between && !comesBack &&
        sourceLine(first.file, upper).find("memcpy_async(") != std::string::npos)
        return "Let each thread commit its own copies and wait for them. Put a __syncthreads() "
               "after the wait and before the access.";
    const Around below = aroundOnly(first.file, lower, upper);
    std::string place = comesBack
                            ? "after " + (below.first > 0 ? below.text : joined("line ", lower))
                        : sameFile ? placeBetween(first.file, upper, lower, loop)
                                   : "between the two lines";
    if (const std::string two = "between the two lines"; !called.empty() && place.find(two) == 0)
        place.replace(0, two.size(), joined("between line ", upper, " and line ", lower));
    const std::string sentence = joined(place, ", outside of any branch",
                                        comesBack ? joined(", so that no thread returns to line ",
                                                           upper, " while others are still there.")
                                                  : ".",
                                        called);
    if (const std::uint64_t most = enoughBarriers(used); most > 0)
        return joined("Do not add a barrier: a thread passes ", counted(most, "barrier"), ", and ",
                      options().enoughBarriers, " are enough. Check whether an index",
                      index.empty() ? "" : ", or the array,",
                      " is wrong in one of the two lines. If not, move a __syncthreads() to here: ",
                      sentence);
    if (std::string weak = sameFile ? ifWeakBarrier(first.file, upper, lower) : ""; !weak.empty())
        return index + weak;
    return index + "Put a __syncthreads() " + sentence;
}

}  // namespace cusim
