#include "simulator/explain/race_remedies.h"

#include <algorithm>
#include <map>
#include <set>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/explain/named_array.h"
#include "simulator/explain/thread_flow.h"
#include "simulator/findings/loops.h"
#include "simulator/findings/source_lines.h"
#include "simulator/include/cusim/builtins.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"

namespace cusim {

std::string ifStoredByMany(bool shared, std::uint32_t id, bool acrossBlocks, const Place& at,
                           const LaunchConfig& config) {
    const Allocation* const array =
        shared ? nullptr : DeviceMemory::instance().allocations()[id].get();
    const bool declared = !array || array->isVariable();
    const std::string name = arrayName(shared, id);
    const bool single =
        array ? declared && array->ownBytes() <= sizeof(double) : id > 1 && !sharedShape(id);
    const dim3& extents = acrossBlocks ? config.grid : config.block;
    const StoredByMany many =
        storedByMany(at.file, at.line, single ? name : "", extents, acrossBlocks);
    if (many.text.empty()) return "";
    const char* const keyword = shared ? "__shared__" : "__device__";
    const bool ofBlock = acrossBlocks && many.byThread;  // one thread of each block
    const std::string each =
        ofBlock ? ", and each block writes it. " : ", and each of them writes it. ";
    const std::string all = ofBlock  ? "all blocks of the grid"
                            : shared ? "all threads of the block"
                                     : "all threads of the grid";
    const std::string other = acrossBlocks ? "blocks" : "threads";
    const bool isForAll = many.isForAll && (!acrossBlocks || declared);
    std::string why = single ? joined(keyword, " makes one ", name, " for ", all, each)
                      : many.missing.empty()
                          ? joined("The index of ", many.text, " is read from memory: several ",
                                   other, " may find the same number there. ")
                      : isForAll
                          ? joined(many.text, " is the same element for ", all, each)
                          : joined("The index of ", many.text, " does not depend on ", many.missing,
                                   ": ", other, " that differ only there write the same element. ");
    if (isForAll && declared && !many.adds && ofBlock)
        why += "If each block needs its own, declare it in the kernel with __shared__. ";
    else if (isForAll && declared && !many.adds)
        why += joined("If each thread needs its own, declare it in the kernel without ", keyword,
                      ". ");
    if (many.adds)
        why +=
            "Each thread reads the value, changes it and writes it back. A change by another "
            "thread in between is lost, and a __syncthreads() does not help: use an atomic, "
            "such as atomicAdd() or atomicMax().";
    else if (isForAll)
        why +=
            joined("If all threads should share one value, let one ", ofBlock ? "block" : "thread",
                   " store it", shared ? ", and put a __syncthreads() after the store." : ".");
    else if (!many.missing.empty() && single)
        why += joined("Threads that differ in ", many.missing, " overwrite each other: make ", name,
                      " an array with an element for each of them, or let one thread store it.");
    else if (!many.missing.empty())
        why += "Add it to the index, or launch fewer threads.";
    return why;
}

std::string ifInBranch(const RaceExample& one, const Place& first, const Place& second) {
    if (first.file != second.file) return "";
    const int upper = std::min(first.line, second.line), lower = std::max(first.line, second.line);
    const Branch branch = branchOfThreads(first.file, {upper, lower});
    if (branch.line == 0) return "";
    const std::vector<Loop> loops = loopsAround(first.file, {upper, lower});
    const bool between = upper < lower && loops.empty();
    const bool holdsLoop =
        !loops.empty() && branch.line <= loops.back().first && branch.last >= loops.back().last;
    if (!between && !holdsLoop && !branch.ofWarp) return "";
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
    if (branch.isLoop)
        return joined(where,
                      " does not run the same number of rounds in all threads, so it must not "
                      "contain a __syncthreads(). Let all threads run the same number of rounds, "
                      "with an if around the work, and put the __syncthreads() outside of that if.",
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
    for (const NumberParameter& one : numbersInKernel(here, call))
        if (one.name == length && one.value < threads && threads < one.value + config.block.x)
            return joined("The grid has ", threads, " threads in x, and a row has ", one.name,
                          " = ", one.value, " elements. A thread with ", names.column, " ",
                          one.value, " stores into the next row: test ", names.column, " < ",
                          one.name, ".");
    return "";
}

std::string ifBarrierInBranch(const RaceExample& one, const Place& first, const Place& second,
                              int used) {
    const std::vector<Loop> loops = loopsAround(first.file, {first.line, second.line});
    if (first.file != second.file || loops.empty()) return "";
    const int upper = std::min(first.line, second.line), lower = std::max(first.line, second.line);
    std::map<bool, std::pair<int, int>> inBranch;  // by whether it stands between the two lines
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
                  ": a round in which that if is false has no barrier. Put a __syncthreads() into "
                  "each round, outside of that if.",
                  one.firstThread / warpSize == one.secondThread / warpSize
                      ? ""
                      : " These two threads are of different warps: a __syncwarp() makes only the "
                        "threads of one warp wait.");
}

}  // namespace cusim
